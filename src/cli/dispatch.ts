import { Command } from 'commander';
import { GobonnieError } from '../errors.js';
import { bonnie } from './ancestors/bonnie.js';
import { bonniePlusPlus } from './ancestors/bonnie-plus-plus.js';
import { bonniego } from './ancestors/bonniego.js';
import { gobonniego } from './ancestors/gobonniego.js';
import type { CommandRow } from './argv/command.js';
import { unknownArgument } from './argv/lexing.js';
import { completion } from './commands/completion.js';
import { complete } from './completion/complete.js';
import type { Request } from './request.js';

/** Every command, in the order of the help. A new one is a file and a row here. */
export const commands: readonly CommandRow[] = [
  ...inGroup('Commands', [
    ['show', 'print earlier results, in any format', lazily('show')],
    ['compare', 'compare two or more results, and find regressions', lazily('compare')],
    ['ab', 'measure several directories in turn, and find which is faster', lazily('ab')],
    ['zones', 'read a disk or file from front to back, to plot its zones', lazily('zones')],
    ['clean', 'remove leftover files of killed runs from a directory', lazily('clean')],
    [
      'explain',
      'explain a warning, an error or an exit code, and what to do about it',
      async () => (await import('./commands/explain.js')).explain,
    ],
    ['completion', 'print a shell script that completes command lines', async () => completion],
  ]),
  ...inGroup('Compatibility', [
    ['gobonniego', "gobonniego's flags and output, which are gobonnie's own", async () => gobonniego],
    ['bonniego', "bonniego's output, in MiB", async () => bonniego],
    ['bonnie', "Bonnie's flags, tests and table", async () => bonnie],
    ['bonnie++', "bonnie++'s flags, tests, tables and CSV", async () => bonniePlusPlus],
    ['getc-putc', 'compare the ways to write and read byte by byte', lazily('getcPutc')],
  ]),
];

type Row = readonly [name: string, summary: string, load: CommandRow['load']];

function inGroup(group: CommandRow['group'], rows: readonly Row[]): readonly CommandRow[] {
  return rows.map(([name, summary, load]) => ({ name, summary, group, load }));
}

function lazily(name: 'show' | 'compare' | 'ab' | 'zones' | 'clean' | 'getcPutc'): CommandRow['load'] {
  return async () => (await import('./commands/loaded-together.js'))[name];
}

/** `gobonnie --size 1`, or a command's name and then its flags: `gobonnie show report.json`. */
export async function requestFrom(args: readonly string[]): Promise<Request> {
  const [first, ...rest] = args;
  if (first === '__complete') {
    return { type: 'act', act: complete(rest, commands) };
  }
  if (first === 'help') return helpOf(rest);
  const row = commands.find(({ name }) => name === first);
  return row ? (await row.load()).read(rest) : gobonniego.read(args, program());
}

/** `gobonnie help`, `gobonnie help ab`. */
async function helpOf([topic = 'help']: readonly string[]): Promise<Request> {
  const row = commands.find(({ name }) => name === topic);
  if (row) return (await row.load()).read(['--help']);
  const command = program();
  if (!/^(help$|-)/.test(topic)) throw unknownArgument(command, topic);
  return gobonniego.read(['--help'], command);
}

/** gobonnie itself: gobonniego's flags, and a help that lists the commands. */
function program(): Command {
  const command = gobonniego.command();
  for (const { name, summary, group } of commands) {
    const listed = new Command(name).summary(summary).helpGroup(`${group}:`).helpOption(false);
    // It runs only after a flag: `requestFrom` has handled every command that comes first.
    const refuse = () => {
      throw new GobonnieError(
        'option-unknown',
        `${name} must come before any flag`,
        `type gobonnie ${name} and then its flags`,
      );
    };
    command.addCommand(listed.allowUnknownOption().allowExcessArguments().action(refuse));
  }
  return command;
}
