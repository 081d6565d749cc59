/** What only some systems can do, and on which. */
const SYSTEMS = {
  direct: ['linux', 'win32'],
  drop: ['linux', 'darwin'],
  evict: ['linux'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const NAMES: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** As people call it. */
export function systemName(platform: string): string {
  return NAMES[platform] ?? platform;
}

export function canOn(what: keyof typeof SYSTEMS, platform: string): boolean {
  return SYSTEMS[what].some((system) => system === platform);
}
