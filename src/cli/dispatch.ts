import { Command } from 'commander';
import { GobonnieError } from '../errors.js';
import { bonnie } from './ancestors/bonnie.js';
import { bonniePlusPlus } from './ancestors/bonnie-plus-plus.js';
import { bonniego } from './ancestors/bonniego.js';
import { gobonniego } from './ancestors/gobonniego.js';
import type { CommandRow } from './argv/command.js';
import { completion } from './commands/completion.js';
import { complete } from './completion/complete.js';
import type { Request } from './request.js';

/** Every command, in the order of the help. A new one is a file and a row here. */
export const commands: readonly CommandRow[] = [
  {
    name: 'show',
    summary: 'print earlier results, in any format',
    group: 'Commands',
    load: async () => (await import('./commands/loaded-together.js')).show,
  },
  {
    name: 'compare',
    summary: 'compare two or more results, and find regressions',
    group: 'Commands',
    load: async () => (await import('./commands/loaded-together.js')).compare,
  },
  {
    name: 'ab',
    summary: 'measure several directories in turn, and find which is faster',
    group: 'Commands',
    load: async () => (await import('./commands/loaded-together.js')).ab,
  },
  {
    name: 'zones',
    summary: 'read a disk from front to back, to plot its zones with gnuplot',
    group: 'Commands',
    load: async () => (await import('./commands/loaded-together.js')).zones,
  },
  {
    name: 'clean',
    summary: 'remove leftover files of killed runs from a directory',
    group: 'Commands',
    load: async () => (await import('./commands/loaded-together.js')).clean,
  },
  {
    name: 'explain',
    summary: 'explain a warning, an error or an exit code, and what to do about it',
    group: 'Commands',
    load: async () => (await import('./commands/explain.js')).explain,
  },
  {
    name: 'completion',
    summary: 'print a shell script that completes command lines',
    group: 'Commands',
    load: async () => completion,
  },
  {
    name: 'gobonniego',
    summary: "gobonniego's flags and output, which are gobonnie's own",
    group: 'As its ancestors',
    load: async () => gobonniego,
  },
  {
    name: 'bonniego',
    summary: "bonniego's output, in MiB",
    group: 'As its ancestors',
    load: async () => bonniego,
  },
  {
    name: 'bonnie',
    summary: "Bonnie's flags, tests and table",
    group: 'As its ancestors',
    load: async () => bonnie,
  },
  {
    name: 'bonnie++',
    summary: "bonnie++'s flags, tests, tables and CSV",
    group: 'As its ancestors',
    load: async () => bonniePlusPlus,
  },
  {
    name: 'getc-putc',
    summary: 'compare the ways to write and read byte by byte',
    group: 'As its ancestors',
    load: async () => (await import('./commands/loaded-together.js')).getcPutc,
  },
];

/** `gobonnie --size 1`, or a command's name and then its flags: `gobonnie show report.json`. */
export async function requestFrom(args: readonly string[]): Promise<Request> {
  const [first, ...rest] = args;
  if (first === '__complete') {
    return { type: 'act', act: complete(rest, commands) };
  }
  const row = commands.find(({ name }) => name === first);
  return row ? (await row.load()).read(rest) : gobonniego.read(args, program());
}

/** gobonnie itself: gobonniego's flags, and a help that lists the commands. */
export function program(): Command {
  const command = gobonniego.command();
  for (const { name, summary, group } of commands) {
    const listed = new Command(name).summary(summary).helpGroup(`${group}:`).helpOption(false);
    // It is called only behind a flag: `read` has taken every command that comes first.
    const refuse = () => {
      throw misplaced(name);
    };
    command.addCommand(listed.allowUnknownOption().allowExcessArguments().action(refuse));
  }
  return command;
}

function misplaced(name: string): GobonnieError {
  return new GobonnieError(
    'option-unknown',
    `${name} must come before any flag`,
    `type gobonnie ${name} and then its flags`,
  );
}
