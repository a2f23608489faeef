import { NavLink, Text, VisuallyHidden } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";

import { useMe } from "@/features/identity/useMe";

import { grouped, PLACES, type Place } from "./navigation";
import styles from "./Shell.module.css";

/** The pages of the product, in groups. */
export function MainNavigation({ onGo }: { onGo?: () => void }) {
  const { isAdmin } = useMe();
  return grouped(PLACES, isAdmin).map(([group, places]) => (
    <div key={group} className={styles.group}>
      {group && (
        <Text size="xs" c="dimmed" fw={600} px={10} mb={4}>
          {group}
        </Text>
      )}
      {places.map((place) => (
        <PlaceLink key={place.to} place={place} onGo={onGo} />
      ))}
    </div>
  ));
}

function PlaceLink({
  place: { to, label, icon: Icon, useCount },
  onGo,
}: {
  place: Place;
  onGo?: () => void;
}) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = to === placeOf(path);
  return (
    <NavLink
      component={Link}
      to={to}
      // What is under it may be a place of its own.
      activeOptions={{ exact: true }}
      label={label}
      active={here}
      aria-current={here ? "page" : undefined}
      leftSection={<Icon size={18} stroke={1.6} />}
      rightSection={useCount && <Waiting useCount={useCount} />}
      className={styles.link}
      onClick={onGo}
    />
  );
}

/** The place that a path belongs to: `/mail/filters` is not under `/mail`. */
function placeOf(path: string): Place["to"] {
  return PLACES.filter(({ to }) => (to === "/" ? path === "/" : path.startsWith(to ?? "")))
    .toSorted((one, other) => (other.to?.length ?? 0) - (one.to?.length ?? 0))
    .at(0)?.to;
}

function Waiting({ useCount }: { useCount: () => number }) {
  const count = useCount();
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count > 99 ? "99+" : count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}
