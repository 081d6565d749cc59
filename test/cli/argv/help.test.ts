import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { commands } from '../../../src/cli/dispatch.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import type { OptionRow } from '../../../src/options/option-row.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { expectAccepted } from './examples.js';

const { stdout: HELP } = await runInProcess(['--help']);
const HELP_OUTPUT = { stdout: HELP, stderr: '', exitCode: 0, signal: null };

test('the help of -h matches brief-help.txt, and that of --help matches help.txt', async () => {
  await expect(HELP).toMatchFileSnapshot('help.txt');
  await expect((await runInProcess(['-h'])).stdout).toMatchFileSnapshot('brief-help.txt');
});

test('-help among other flags, on a narrow terminal with colors, prints the same help and measures nothing', async () => {
  const env = { ...process.env, COLUMNS: '30', FORCE_COLOR: '3' };
  expect(await runGobonnie(['-size', '1', '-help', '-runs', '3'], { env })).toEqual(HELP_OUTPUT);
});

const { columns: ownColumns } = process.stdout;
afterEach(() => {
  process.stdout.columns = ownColumns;
});

/** The commands, and '' for the program itself. */
const COMMANDS = ['', ...commands.map(({ name }) => name)];

describe.each(COMMANDS)('the help of gobonnie %s', (name) => {
  const readHelp = async () => (await runInProcess([name, '--help'].filter(Boolean))).stdout;

  test('has a usage line, a description, options, examples and notes, in 100 columns', async () => {
    expect((await readHelp()).split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(await readHelp()).toMatch(
      /^Usage: gobonnie.*?\n\n[A-Zb].*?\.\n\n.*\n {2}-h, --help +print this help\n.*\nExamples:\n {2}\S.*\n\n[-A-Zw].*\.\n$/s,
    );
  });

  test('has examples with a comment, which gobonnie accepts', async () => {
    const [, examples = ''] = /\nExamples:\n(.*?)\n\n/s.exec(await readHelp()) ?? [];
    for (const line of examples.split('\n')) {
      expect(line).toMatch(/^ {2}\S.*? {3,}\S/);
      await expectAccepted(line.replace(/^ {2}| {3,}.*$/g, ''));
    }
  });

  test('fits on a screen of 40 lines with -h, whose options and commands are all in the full help', async () => {
    for (const columns of [80, 100]) {
      process.stdout.columns = columns;
      const full = await readHelp();
      const brief = (await runInProcess([name, '-h'].filter(Boolean))).stdout;
      const lines = brief.trimEnd().split('\n');
      expect(lines.length, brief).toBeLessThanOrEqual(40);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      const terms = [...brief.matchAll(/^ {2}(\S.*?)(?: {2}|$)/gm)].map(([, term = '']) => term);
      const options = terms.filter((term) => term.startsWith('-'));
      expect(full.split('\n')).toEqual(
        expect.arrayContaining(options.map((term) => expect.stringContaining(`  ${term}  `))),
      );
    }
  });

  test('is listed once in the help of gobonnie, and -h names it', async () => {
    if (name === '') return;
    expect(HELP.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
    const { stdout: brief } = await runInProcess(['-h']);
    const [, list = ''] = /\nCommands:\n(.*?)\n\n/s.exec(brief) ?? [];
    const names = list.split('\n').flatMap((line) => line.replace(/^ {2}(\S+).*/, '$1').split(' '));
    expect(names.filter((one) => one === name)).toHaveLength(1);
  });
});

test('the help has a default for every option with a default value', () => {
  const rowsByName: Readonly<Record<string, OptionRow>> = optionCatalogue;
  const defaults = Object.entries(validateOptions({})).filter(([, value]) => value !== false);
  const undocumented = defaults.filter(([name]) => rowsByName[name]?.defaultText === undefined);
  expect(undocumented).toEqual([]);
});

/** Runs the program and returns the files that it loaded. */
async function filesLoaded(args: readonly string[]): Promise<readonly string[]> {
  const directory = makeDirectory();
  const { exitCode } = await runGobonnie(args, { env: { ...process.env, NODE_V8_COVERAGE: directory } });
  expect(exitCode).toBe(0);
  const scripts = readdirSync(directory).flatMap((name): readonly { readonly url: string }[] => {
    return JSON.parse(readFileSync(path.join(directory, name), 'utf8')).result;
  });
  return scripts.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
}

/** Returns the packages in a bundled file, from the notices at its top. */
function packagesIn(file: string): readonly string[] {
  const [, notices = ''] = /^\/\*\nThis file contains:\n(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return ['commander', 'zod'].filter((name) => notices.includes(`\n${name}\n`));
}

test.each([
  ['quick', '--size', "1 GiB, or the preset's"],
  ['quick', '--runs', '5 for CrystalDiskMark or with --baseline, otherwise 1'],
  ['sweep', '--size', '1 GiB'],
  ['sweep', '--runs', '3; 5 with --baseline'],
  ['dev', '--runs', '1; 5 with --baseline'],
  ['ab', '--seconds', '0; 60 with a command'],
  ['ab', '--max-runs', '20; 100 with a command'],
  ['gobonniego', '--size', 'twice the RAM; up to 8 GiB with --direct or -no-fsync=false; 1 GiB with --step'],
  ['gobonniego', '--no-fsync', 'on'],
  ['bonniego', '--no-fsync', 'on'],
])('the help of %s shows its own default of %s: %s', async (command, option, defaultText) => {
  const { stdout } = await runInProcess([command, '--help']);
  const [, entry = ''] = new RegExp(`\\n  (${option} [\\s\\S]*?)\\n  -`).exec(stdout) ?? [];
  expect(entry.replaceAll(/\s+/g, ' ')).toContain(`(default: ${defaultText})`);
});

describe('gobonnie loads only the packages that it needs:', () => {
  test.each([
    ['--version', []],
    ['-V', []],
    ['--help', ['commander']],
    ['__complete --cache', ['commander']],
    ['explain served-from-cache', ['commander']],
    ['--dry-run', ['commander', 'zod']],
  ])('%s loads %j', async (line, packages) => {
    const files = await filesLoaded(line.split(' '));
    expect(files.flatMap(packagesIn).toSorted()).toEqual(packages);
    expect(files.filter((file) => file.includes('systeminformation'))).toEqual([]);
    expect(files.some((file) => file.includes('explain-'))).toBe(line.startsWith('explain'));
    expect(files.length).toBeLessThan(20);
  });
});
