export const KIB = 1024;
export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;
/** Rates use decimal megabytes, like disk vendors; sizes use GiB. */
export const MB = 1_000_000;
export const NS_PER_SECOND = 1_000_000_000;
export const NS_PER_US = 1000;
export const NS_PER_MS = 1_000_000;
export const MS_PER_SECOND = 1000;
export const MICROSECONDS_PER_SECOND = 1_000_000;

/** From this share of a unit on, one decimal rounds up to the full unit: 1023.95 KiB would print as 1024. */
const ROUNDS_UP_AT = 1 - 0.05 / 1024;

const BYTE_UNITS = [
  { name: 'GiB', size: GIB },
  { name: 'MiB', size: MIB },
  { name: 'KiB', size: KIB },
];

export function chooseByteUnit(bytes: number): { readonly name: string; readonly size: number } {
  return BYTE_UNITS.find(({ size }) => bytes >= size * ROUNDS_UP_AT) ?? { name: 'bytes', size: 1 };
}

/** Formats `65536` as `64 KiB`, with at most one decimal and never `1024 KiB`. */
export function formatBytes(bytes: number): string {
  const { name, size } = chooseByteUnit(bytes);
  return `${Number((bytes / size).toFixed(1))} ${name}`;
}

/** Formats a size as `512`, `8k` or `1m`. */
export function formatShortSize(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB}m`;
  return bytes % KIB === 0 ? `${bytes / KIB}k` : String(bytes);
}

/** Formats a number of GiB for --size: `0.5`, or `47M` if this is shorter. */
export function formatGibibytes(gib: number): string {
  const mib = `${gib * KIB}M`;
  return mib.length < String(gib).length ? mib : String(gib);
}

/** Formats `3725` as `1 h 2 min`, `95` as `1 min 35 s` and `0.25` as `0.25 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Formats `850` as `850 ns`, `12345` as `12.3 µs` and `4200000` as `4.2 ms`. */
export function formatNs(ns: number): string {
  for (const [unit, name] of [
    [NS_PER_SECOND, 's'],
    [NS_PER_MS, 'ms'],
    [NS_PER_US, 'µs'],
  ] as const) {
    // With three digits, 999.5 would print as 1000.
    if (ns >= unit * 0.9995) return `${Number((ns / unit).toPrecision(3))} ${name}`;
  }
  return `${Math.round(ns)} ns`;
}

export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Larger percentages need no decimal. */
const LARGE = 100;

/** `-19.8`, `+3.1`, `+1900`, `0.0`. */
export function signedDecimal(percent: number): string {
  const size = unsignedDecimal(percent);
  if (Number(size) === 0) return size;
  return `${percent < 0 ? '-' : '+'}${size}`;
}

/** `19.8`. */
export function unsignedDecimal(percent: number): string {
  const size = Math.abs(percent);
  return size.toFixed(size < LARGE ? 1 : 0);
}

/** Has no regex flags, because JSON Schema supports none. */
export const SIZE_PATTERN = /^(\d+\.?\d*|\.\d+)(?:\s*(?:([kmgtKMGT])([iI]?)([bB]?)|[bB]))?$/;
const UNIT_PREFIXES = ['', 'k', 'm', 'g', 't'];

/**
 * Parses `64k`, `1.5 GiB` or `500MB` to bytes, with the units of dd: k and KiB are 1024, kB is 1000, and so on. A
 * number without a unit counts in `bareUnit`. Null if invalid.
 */
export function parseSize(text: string, bareUnit = 1): number | null {
  const [, digits, prefix = '', binary, byte] = SIZE_PATTERN.exec(text) ?? [];
  if (digits === undefined) return null;
  if (/[\d.]$/.test(text)) return Number(digits) * bareUnit;
  const base = byte && !binary ? 1000 : KIB;
  return Number(digits) * base ** UNIT_PREFIXES.indexOf(prefix.toLowerCase());
}
