/** A command line to paste, and what it does. */
export interface Example {
  /** With double quotes if any: to cmd.exe a single one is a letter, and the `>` behind it redirects. */
  readonly command: string;
  readonly comment: string;
}

/** What a system does not have: programs, devices, variables, or what gobonnie refuses there. */
const UNAVAILABLE: Readonly<Record<string, RegExp>> = {
  linux: /\/dev\/rdisk/,
  darwin: /-(?:o_)?direct\b|\b(?:losetup|findmnt|iotop)\b|\bdf --|\/dev\/(?:sd|shm)|\/mnt\/c\b/,
  win32:
    /\b(?:sudo|df|findmnt|ulimit|touch|realpath|source|eval|gnuplot|mpiexec)\b|^(?:ls|bonnie\+\+) |^\w+=|\$\?|&$|-y s|~|\/(?:dev|var|shared)\b|\bbonnie(?:\+\+)? .*-u root/,
};

/** The examples that work on a system, with its paths. */
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
