/** What only some systems can do, and on which. */
const SYSTEMS = {
  direct: ['linux', 'win32'],
  drop: ['linux', 'darwin'],
  evict: ['linux'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export function canOn(what: keyof typeof SYSTEMS, platform: string): boolean {
  return SYSTEMS[what].some((system) => system === platform);
}
