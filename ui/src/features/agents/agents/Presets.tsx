import { SimpleGrid, Text } from "@mantine/core";
import {
  IconChecklist,
  IconEyeCheck,
  IconFileText,
  IconFolders,
  IconHeadset,
  IconMailForward,
  IconMoodSmile,
  IconNotes,
  IconPlus,
  IconRobot,
  IconSearch,
  IconTextSpellcheck,
  IconReceipt,
  IconCalendarEvent,
  IconNews,
  IconId,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";

import styles from "./Agents.module.css";
import { formValues } from "./values";
import { inWords, verbs } from "./words";

type Icon = ComponentType<{ size?: number; stroke?: number }>;

const ICONS: Record<string, Icon> = {
  "file-text": IconFileText,
  "eye-check": IconEyeCheck,
  search: IconSearch,
  folders: IconFolders,
  headset: IconHeadset,
  receipt: IconReceipt,
  "calendar-event": IconCalendarEvent,
  news: IconNews,
  id: IconId,
  "mood-smile": IconMoodSmile,
  "mail-forward": IconMailForward,
  checklist: IconChecklist,
  notes: IconNotes,
  "text-spellcheck": IconTextSpellcheck,
};

/** Agents to start from; nothing is made before one saves. */
export function Presets() {
  const presets = api.useQuery("get", "/api/v1/agents/presets", {}, { staleTime: Infinity });
  return (
    <Loaded query={presets}>
      {({ items }) => (
        <SimpleGrid component="ul" cols={{ base: 1, sm: 2 }} spacing="sm" className={styles.cards}>
          {items.map(({ slug, name, summary, example, icon, config }) => (
            <Card
              key={slug}
              preset={slug}
              icon={ICONS[icon] ?? IconRobot}
              name={name}
              summary={summary}
              example={`“${example}”`}
              note={`May ${inWords(verbs(formValues(config, "").flags))}`}
            />
          ))}
          <Card
            preset="blank"
            icon={IconPlus}
            name="Start empty"
            summary="An agent that you describe from the beginning."
            note="May read, nowhere yet"
          />
        </SimpleGrid>
      )}
    </Loaded>
  );
}

interface CardProps {
  preset: string;
  icon: Icon;
  name: string;
  summary: string;
  example?: string;
  note: string;
}

function Card({ preset, icon: Icon, name, summary, example, note }: CardProps) {
  return (
    <li className={styles.card} data-row tabIndex={-1}>
      <Icon size={20} stroke={1.6} />
      <div>
        <Link to="/agents/new" search={{ preset }} className={styles.cover}>
          {name}
        </Link>
        <Text size="sm">{summary}</Text>
        {example && (
          <Text size="sm" c="dimmed">
            {example}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      </div>
    </li>
  );
}
