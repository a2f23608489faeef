/** What the list shows; empty text is everything. */
export interface Filters {
  q: string;
  callerId: string;
  tool: string;
  decision: string;
  status: string;
  /** A span that ends now, or "between" for two moments. */
  time: string;
  /** As a field for date and time has them: local, without a zone. */
  from: string;
  to: string;
}

export const EVERYTHING: Filters = {
  q: "",
  callerId: "",
  tool: "",
  decision: "",
  status: "",
  time: "",
  from: "",
  to: "",
};

const HOUR = 3_600_000;
const SPANS: Record<string, number> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 168 * HOUR,
  month: 720 * HOUR,
};

export const TIMES = [
  { value: "", label: "Any time" },
  { value: "hour", label: "The last hour" },
  { value: "day", label: "The last 24 hours" },
  { value: "week", label: "The last 7 days" },
  { value: "month", label: "The last 30 days" },
  { value: "between", label: "Between two moments" },
];

/** Choosing a span fixes where it begins: it must not be another question at every look. */
export function withTime(filters: Filters, time: string): Filters {
  const span = SPANS[time];
  const begin = span ? new Date(Date.now() - span).toISOString() : "";
  return { ...filters, time, from: begin, to: "" };
}

/** The filters as the server takes them; what is empty is left out. */
export function asQuery(filters: Filters) {
  const { time: _, from, to, ...plain } = filters;
  const given = { ...plain, from: moment(from), to: moment(to) };
  const used = Object.entries(given).filter(([, value]) => value);
  return Object.fromEntries(used) as Partial<typeof given>;
}

export const isFiltered = (filters: Filters) => Object.keys(asQuery(filters)).length > 0;

function moment(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
