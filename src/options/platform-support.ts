/** The features that only some systems have, and those systems. */
const SUPPORTED_PLATFORMS = {
  direct: ['linux', 'win32'],
  drop: ['linux', 'darwin'],
  evict: ['linux'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};

/** Returns the system's usual name, such as macOS for darwin. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES[platform] ?? platform;
}

export function isSupportedOn(feature: keyof typeof SUPPORTED_PLATFORMS, platform: string): boolean {
  return SUPPORTED_PLATFORMS[feature].some((system) => system === platform);
}

/** True if an option or a value works on a system. Most work on every system. */
export function isWordSupportedOn(word: string, platform: string): boolean {
  const name = word.replace(/^--/, '');
  return (
    !Object.hasOwn(SUPPORTED_PLATFORMS, name) ||
    isSupportedOn(name as keyof typeof SUPPORTED_PLATFORMS, platform)
  );
}
