import styles from "./Composer.module.css";

export interface Choice {
  id: string;
  label: string;
  detail?: string;
  choose: () => void;
}

interface Props {
  id: string;
  label: string;
  choices: Choice[];
  /** The one that Enter takes. */
  at: number;
}

/** What may be meant by what is being typed: commands, or agents by name. */
export function Offers({ id, label, choices, at }: Props) {
  if (choices.length === 0) return null;
  return (
    <ul className={styles.offers} id={id} role="listbox" aria-label={label}>
      {choices.map(({ id: each, label: name, detail, choose }, place) => (
        // The keys are heard by the box that has the focus.
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={each}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at}
          className={styles.offer}
          // The box keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={choose}
        >
          <span>{name}</span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </li>
      ))}
    </ul>
  );
}
