import { api, type Schemas } from "@/api/client";
import { byPage, silent } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { Verdict } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { When } from "@/components/When";

import { describeBrowser } from "../browser";

/** Every attempt to log in. */
export function SignInsPage() {
  const signIns = api.useInfiniteQuery("get", "/api/v1/sign-ins", {}, { ...byPage, ...silent });
  return (
    <Page
      title="Sign-ins"
      description="Every attempt to log in, accepted or refused, newest first. The list cannot be changed."
    >
      <PagedListing
        label="Sign-ins"
        query={signIns}
        empty={<Empty title="Nobody has logged in yet">Attempts show up here.</Empty>}
      >
        {(signIn) => <SignInRow key={signIn.id} signIn={signIn} />}
      </PagedListing>
    </Page>
  );
}

function SignInRow({ signIn }: { signIn: Schemas["SignInOut"] }) {
  const accepted = signIn.outcome === "accepted";
  return (
    <Row
      title={signIn.email || "Someone without an address"}
      marks={
        <Verdict verdict={accepted ? "allowed" : "blocked"}>
          {accepted ? "let in" : `refused: ${signIn.reason}`}
        </Verdict>
      }
      meta={[
        <When at={signIn.at} />,
        `by ${signIn.method}`,
        signIn.address,
        describeBrowser(signIn.userAgent),
      ]}
    />
  );
}
