import { Command } from 'commander';
import { GobonnieError } from '../errors.js';
import type { CommandName } from './argv/command-names.js';
import type { CommandRow } from './argv/define-command.js';
import { UnknownFlagError, unknownArgumentError } from './argv/parse-argv.js';
import { completion } from './commands/completion.js';
import { bonnie } from './compat/bonnie.js';
import { bonniePlusPlus } from './compat/bonnie-plus-plus.js';
import { bonniego, gobonnie, gobonniego } from './compat/gobonniego.js';
import { complete } from './completion/complete.js';
import type { Request } from './request.js';

/** Every command, in help order. To add a command, add a file, its name in command-names.ts, and a row here. */
export const commands: readonly CommandRow[] = [
  ...toCommandRows('Commands', [
    ['quick', "measure a disk's well-known numbers in about 30 s", loadFromBundle('quick')],
    ['show', 'print earlier results, in any format', loadFromBundle('show')],
    ['compare', 'compare two or more results, and find regressions', loadFromBundle('compare')],
    ['ab', 'measure directories in turn, and find the fastest', loadFromBundle('ab')],
    ['sweep', 'find the queue depth that a disk needs, and any quota', loadFromBundle('sweep')],
    ['dev', 'time what npm, git, tar, rm and databases do on a disk', loadFromBundle('dev')],
    ['load', 'time commits and reads while other loads run', loadFromBundle('load')],
    ['ping', 'make one operation a second, to find latency spikes', loadFromBundle('ping')],
    ['fill', 'write all free space and read it back, to find its end', loadFromBundle('fill')],
    ['first-read', 'read files twice: slow only the first time?', loadFromBundle('firstRead')],
    [
      'explain',
      'explain a warning, an error or an exit code',
      async () => (await import('./commands/explain.js')).explain,
    ],
  ]),
  ...toCommandRows('More', [
    ['zones', 'read a disk from front to back, to plot its zones', loadFromBundle('zones')],
    ['clean', 'remove leftover files of killed runs from a directory', loadFromBundle('clean')],
    ['completion', 'print a shell script that completes command lines', async () => completion],
    ['gobonniego', "gobonniego's timing and output: writes are not synced", async () => gobonniego],
    ['bonniego', "bonniego's output, in MiB", async () => bonniego],
    ['bonnie', "Bonnie's flags, tests and table", async () => bonnie],
    ['bonnie++', "bonnie++'s flags, tests, tables and CSV", async () => bonniePlusPlus],
  ]),
];

type Row = readonly [name: CommandName, summary: string, load: CommandRow['load']];

function toCommandRows(group: CommandRow['group'], rows: readonly Row[]): readonly CommandRow[] {
  return rows.map(([name, summary, load]) => ({ name, summary, group, load }));
}

function loadFromBundle(
  name: (CommandName | 'firstRead') & keyof typeof import('./commands/lazy-bundle.js'),
): CommandRow['load'] {
  return async () => (await import('./commands/lazy-bundle.js'))[name];
}

/** Parses `gobonnie --size 1`, or a command name and its flags: `gobonnie show report.json`. */
export async function requestFrom(args: readonly string[]): Promise<Request> {
  const [first, ...rest] = args;
  if (first === '__complete') return { type: 'print', text: await complete(rest, commands) };
  if (first === 'help') return helpRequest(rest);
  if (first === 'version' && rest.length === 0) return gobonnie.parse(['--version']);
  const row = commands.find(({ name }) => name === first);
  try {
    return row ? (await row.load()).parse(rest) : gobonnie.parse(args, createProgram());
  } catch (error) {
    if (!(error instanceof UnknownFlagError)) throw error;
    // A letter has another meaning in each ancestor.
    const isLetter = row?.group === 'More' && error.flagName.length === 2;
    const name = row?.name ?? 'gobonnie without a command';
    throw (isLetter ? null : await otherCommandError(error.flagName, name)) ?? error;
  }
}

/** Returns the error for a flag that other commands have, which is no typo. Null if no command has it. */
async function otherCommandError(name: string, command: string): Promise<GobonnieError | null> {
  const owners: string[] = [];
  for (const row of [{ name: 'gobonnie', load: async () => gobonnie }, ...commands]) {
    const { options } = (await row.load()).command();
    if (options.some(({ short, long }) => [short, long].includes(name))) owners.push(row.name);
  }
  if (owners.length === 0) return null;
  const hint =
    owners[0] === 'gobonnie' ? `see gobonnie ${command} --help` : `it belongs to ${owners.join(' and ')}`;
  return new GobonnieError('option-unknown', `${command} has no ${name}`, hint);
}

/** Handles `gobonnie help` and `gobonnie help ab`. */
async function helpRequest([topic = 'help']: readonly string[]): Promise<Request> {
  const row = commands.find(({ name }) => name === topic);
  if (row) return (await row.load()).parse(['--help']);
  const command = createProgram();
  if (!/^(help$|-)/.test(topic)) throw unknownArgumentError(command, topic);
  return gobonnie.parse(['--help'], command);
}

/** Returns gobonnie's own command: gobonniego's flags, and a help that lists the other commands. */
function createProgram(): Command {
  const command = gobonnie.command();
  for (const { name, summary, group } of commands) {
    const subcommand = new Command(name).summary(summary).helpGroup(`${group}:`).helpOption(false);
    // Runs only if the name follows a flag: `requestFrom` handles commands that come first.
    const problem = `${name} must come before any flag`;
    const reject = () => {
      throw new GobonnieError('option-unknown', problem, `type gobonnie ${name} and then its flags`);
    };
    command.addCommand(subcommand.allowUnknownOption().allowExcessArguments().action(reject));
  }
  return command;
}
