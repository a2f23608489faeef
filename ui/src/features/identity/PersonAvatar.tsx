import { Avatar } from "@mantine/core";

interface Props {
  person: { id: string; name: string; hasAvatar: boolean };
  size?: number;
  /** Changes when the picture does, so that the browser asks for it again. */
  version?: number;
}

/** A person's picture, or the first letters of their name. It stands beside the name, so it is decoration. */
export function PersonAvatar({ person, size = 32, version }: Props) {
  const picture = `/api/v1/users/${person.id}/avatar${version ? `?v=${version}` : ""}`;
  return (
    <Avatar
      src={person.hasAvatar ? picture : null}
      alt=""
      aria-hidden
      size={size}
      radius="xl"
      color="accent"
    >
      {initials(person.name)}
    </Avatar>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return picked
    .map((word) => Array.from(word ?? "")[0] ?? "")
    .join("")
    .toUpperCase();
}
