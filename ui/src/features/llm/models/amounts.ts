const cents = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const fine = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const whole = new Intl.NumberFormat("en");

const SMALLEST = 0.0001;
const MILLION = 1_000_000;

/** "$0", "<$0.0001", "$0.0123", "$4.20"; a model's answer often costs less than a cent. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  if (amount < SMALLEST) return `<$${SMALLEST}`;
  return `$${(amount < 1 ? fine : cents).format(amount)}`;
}

/** "caching saved $0.12"; null where it made no difference. */
export function savedInWords(saved: number): string | null {
  if (saved === 0) return null;
  if (saved > 0) return `caching saved ${dollars(saved)}`;
  return `caching cost ${dollars(-saved)} more than it saved`;
}

/** The server keeps prices and costs as whole millionths. */
export const fromMillionths = (amount: number) => amount / MILLION;
export const toMillionths = (amount: number) => Math.round(amount * MILLION);

export const figure = (count: number) => whole.format(count);

/** "1 step", "2,400 tokens". */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${figure(count)} ${count === 1 ? one : many}`;

/** "340 ms", "4.2 s", "3 min 12 s", "2 h 5 min". */
export function took(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
