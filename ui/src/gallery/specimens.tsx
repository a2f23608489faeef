import { Button, Group, Menu, Stack } from "@mantine/core";

import { CodeBlock } from "@/components/CodeBlock";
import { CopyLine } from "@/components/CopyLine";
import { Fact, Facts } from "@/components/Facts";
import { MoreMenu } from "@/components/MoreMenu";
import { Page } from "@/components/Page";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark, Tag, Verdict } from "@/components/StateMark";
import { Empty, Failed, Loading } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { PersonAvatar } from "@/features/identity/PersonAvatar";
import { PaletteButton } from "@/palette/PaletteButton";

import { GateMarks, UntrustedWords } from "./gate";
import { Dialogs, Notices } from "./layers";
import { Lists } from "./lists";

const ADA = { id: "usr-1", name: "Ada Lovelace", hasAvatar: false };
const hence = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const button = <Button>Do the next thing</Button>;
const problem = {
  type: "about:blank",
  title: "Internal Server Error",
  status: 500,
  detail: "The database did not answer.",
  trace_id: "4bf92f3577b34da6",
};

interface Specimen {
  name: string;
  show: () => React.ReactNode;
}

/** What the gallery shows. A new shared component has a line here. */
export const SPECIMENS: Specimen[] = [
  {
    name: "Page and Section",
    show: () => (
      <Page title="A page" description="What it is for, in a sentence." actions={button}>
        <Section
          title="A section"
          description="What is in it."
          actions={<Button variant="default">More</Button>}
        >
          The content.
        </Section>
      </Page>
    ),
  },
  {
    name: "Rows and Row",
    show: () => (
      <Rows label="Sample">
        <Row
          leading={<PersonAvatar person={ADA} />}
          title={<TextLink to="/">A row that opens</TextLink>}
          marks={<Tag>you</Tag>}
          meta={["ada@example.com", <When key="at" at={hence(-90)} prefix="made" />]}
          actions={<More />}
        />
        <Row wraps title="Its actions wrap on a phone" meta={["a fact"]} actions={button} />
        <Row
          title={"A long name ".repeat(12)}
          meta={["and a-long-word-without-spaces".repeat(6)]}
        />
      </Rows>
    ),
  },
  { name: "Listing and PagedListing", show: Lists },
  { name: "Loading", show: () => <Loading rows={2} /> },
  {
    name: "Empty",
    show: () => (
      <Empty title="There is nothing yet" action={button}>
        Says what to do next.
      </Empty>
    ),
  },
  {
    name: "Failed",
    show: () => (
      <Stack>
        <Failed error={problem} retry={() => {}} />
        <Failed error={new TypeError("Failed to fetch")} retry={() => {}} />
      </Stack>
    ),
  },
  {
    name: "StateMark: how something stands",
    show: () => (
      <Group>
        <StateMark state="ok">delivered</StateMark>
        <StateMark state="waiting">waiting</StateMark>
        <StateMark state="retrying">trying again</StateMark>
        <StateMark state="warning">to look at</StateMark>
        <StateMark state="failed">failed</StateMark>
        <StateMark state="off">switched off</StateMark>
      </Group>
    ),
  },
  {
    name: "Verdict: what the gate said",
    show: () => (
      <Group>
        <Verdict verdict="allowed">allowed</Verdict>
        <Verdict verdict="asks">asks you</Verdict>
        <Verdict verdict="blocked">blocked</Verdict>
      </Group>
    ),
  },
  { name: "CallerName, DecisionMark, Sources, Undo", show: GateMarks },
  { name: "Untrusted, Arguments, Diff", show: UntrustedWords },
  {
    name: "Tag, When, TextLink, MoreMenu",
    show: () => (
      <Group>
        <Tag>admin</Tag>
        <When at={hence(-3)} prefix="made" />
        <When at={hence(60 * 24 * 40)} prefix="ends" />
        <TextLink to="/">A link</TextLink>
        <More />
      </Group>
    ),
  },
  {
    name: "Facts and CodeBlock",
    show: () => (
      <Stack>
        <Facts>
          <Fact name="State">
            <StateMark state="ok">on</StateMark>
          </Fact>
          <Fact name="Address">https://example.com/hook</Fact>
        </Facts>
        <CodeBlock label="Sample">
          {JSON.stringify({ event_type: "webhook.test" }, null, 2)}
        </CodeBlock>
      </Stack>
    ),
  },
  { name: "PaletteButton", show: () => <PaletteButton onClick={() => {}} /> },
  { name: "CopyLine", show: () => <CopyLine label="Address" value="https://office.example.com" /> },
  {
    name: "ProblemAlert",
    show: () => <ProblemAlert>The address is already in use. Choose another one.</ProblemAlert>,
  },
  { name: "FormDialog, useConfirm, ShownOnce", show: Dialogs },
  { name: "notify", show: Notices },
];

function More() {
  return (
    <MoreMenu label="More">
      <Menu.Item>Rename</Menu.Item>
      <Menu.Item>Delete…</Menu.Item>
    </MoreMenu>
  );
}
