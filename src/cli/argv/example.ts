/** A command line to paste, with a comment. */
export interface Example {
  /** Uses only double quotes: cmd.exe does not treat single quotes as quotes, so a `>` inside them redirects. */
  readonly command: string;
  readonly comment: string;
}

/** Matches commands that fail on a system, which lacks their programs or devices, or where gobonnie rejects them. */
const UNAVAILABLE: Readonly<Record<string, RegExp>> = {
  linux: /\/dev\/rdisk/,
  darwin: /-(?:o_)?direct\b|\b(?:losetup|findmnt|iotop)\b|\bdf --|\/dev\/(?:sd|shm)|\/mnt\/c\b/,
  win32:
    /\b(?:sudo|df|findmnt|ulimit|touch|realpath|source|eval|gnuplot|mpiexec)\b|^(?:ls|bonnie\+\+) |^\w+=|\$\?|&$|-y s|~|\/(?:dev|var|shared)\b|\bbonnie(?:\+\+)? .*-u root/,
};

/** Returns the examples that work on a system, with that system's paths. */
export function examplesFor(
  examples: readonly Example[],
  platform: string = process.platform,
): readonly Example[] {
  return examples
    .filter(({ command }) => !UNAVAILABLE[platform]?.test(command))
    .map(({ command, comment }) => ({ command: adaptPaths(command, platform), comment }));
}

function adaptPaths(command: string, platform: string): string {
  if (platform === 'darwin') return command.replaceAll('/mnt/', '/Volumes/');
  if (platform !== 'win32') return command;
  return command
    .replaceAll('/mnt/disk/', 'D:\\')
    .replaceAll('/mnt/disk', 'D:\\')
    .replaceAll(/\/mnt\/\w+/g, 'E:\\');
}
