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

/** Whether an option or a value works on a system. Most do on all. */
export function isOfferedOn(word: string, platform: string): boolean {
  const name = word.replace(/^--/, '');
  return !Object.hasOwn(SYSTEMS, name) || canOn(name as keyof typeof SYSTEMS, platform);
}
