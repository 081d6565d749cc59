export const KIB = 1024;
export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;
/** Rates are in decimal megabytes, as disks are sold; sizes are in GiB. */
export const MB = 1_000_000;
export const NS_PER_SECOND = 1_000_000_000;
export const NS_PER_US = 1000;
export const NS_PER_MS = 1_000_000;
export const MS_PER_SECOND = 1000;

/** 1023.95 KiB with one decimal would be shown as 1024. */
const ROUNDS_UP_AT = 1 - 0.05 / 1024;

const BYTE_UNITS = [
  { name: 'GiB', size: GIB },
  { name: 'MiB', size: MIB },
  { name: 'KiB', size: KIB },
];

/** The unit in which this many bytes are shown. */
export function chooseByteUnit(bytes: number): { readonly name: string; readonly size: number } {
  return BYTE_UNITS.find(({ size }) => bytes >= size * ROUNDS_UP_AT) ?? { name: 'bytes', size: 1 };
}

/** `65536` -> `64 KiB`, with at most one decimal and never `1024 KiB`. */
export function formatBytes(bytes: number): string {
  const { name, size } = chooseByteUnit(bytes);
  return `${Number((bytes / size).toFixed(1))} ${name}`;
}

/** `3725` -> `1 h 2 min`, `95` -> `1 min 35 s`, `0.25` -> `0.25 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** `850` -> `850 ns`, `12345` -> `12.3 µs`, `4200000` -> `4.2 ms`. */
export function formatNs(ns: number): string {
  for (const [unit, name] of [
    [NS_PER_SECOND, 's'],
    [NS_PER_MS, 'ms'],
    [NS_PER_US, 'µs'],
  ] as const) {
    // 999.5 with three digits would be shown as 1000.
    if (ns >= unit * 0.9995) return `${Number((ns / unit).toPrecision(3))} ${name}`;
  }
  return `${Math.round(ns)} ns`;
}

/** `1 thread`, `2 threads`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
