const SUPPORTED_PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  direct: ['linux', 'win32'],
  drop: ['linux', 'darwin'],
  evict: ['linux'],
};

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};

/** Returns the system's usual name, such as macOS for darwin. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES[platform] ?? platform;
}

/** True if an option or a value works on a system. Most work on every system. */
export function isSupportedOn(name: string, platform: string): boolean {
  return !Object.hasOwn(SUPPORTED_PLATFORMS, name) || SUPPORTED_PLATFORMS[name]?.includes(platform) === true;
}
