/** A text of an address's query; what is empty or something else is left out. */
export const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);
