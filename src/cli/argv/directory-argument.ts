import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { optionError } from '../../errors.js';
import { display } from '../../text/escape.js';
import type { RawOptions } from './cli-catalogue.js';
import { helpHint, unknownArgumentError } from './parse-argv.js';

/** `gobonnie /mnt/disk` means `--dir /mnt/disk`. A missing directory may be a mistyped command. */
export function directoryArgument({ dir }: RawOptions, args: readonly string[], command: Command) {
  const stray = args.find((argument) => !isDirectory(argument));
  if (stray !== undefined) {
    if (statSync(stray, { throwIfNoEntry: false })?.isBlockDevice())
      throw optionError(
        `${display(stray)} is a device, not a directory to measure`,
        `pass a directory on it, or gobonnie zones ${display(stray)} to read the whole device`,
      );
    if (existsSync(stray))
      throw optionError(
        `${display(stray)} is a file, not a directory to measure`,
        'pass a directory, or gobonnie show FILE to print a result',
      );
    const hint = stray.includes('/') ? 'perhaps its disk is not mounted' : helpHint(command);
    throw unknownArgumentError(command, stray, 'directory', hint);
  }
  const directories = dir === undefined ? args : [String(dir), ...args];
  if (directories.length > 1)
    throw optionError(
      `expected one directory, not ${directories.map((one) => display(one)).join(' and ')}`,
      'pass one of them, or compare them with gobonnie ab',
    );
  return args[0] === undefined ? {} : { dir: args[0] };
}

/** True for a path that cannot be checked: the check of --dir reports the reason. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true;
  }
}
