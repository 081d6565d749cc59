import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bonnie } from '../../src/cli/compat/bonnie.js';
import { bonniePlusPlus } from '../../src/cli/compat/bonnie-plus-plus.js';
import { bonniego, gobonnie, gobonniego } from '../../src/cli/compat/gobonniego.js';
import { optionCatalogue } from '../../src/options/option-catalogue.js';
import { findCalls } from '../cli/argv/examples.js';
import { readHelp } from '../cli/compat/requests.js';
import { useTemporaryDirectory } from '../support/disks/temporary-directory.js';
import { runInProcess } from '../support/programs/in-process.js';
import { ROOT } from '../support/root.js';

const DOCS = readdirSync(path.join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const PAGES = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...DOCS];
const A_FEW_GIB = 5;
const CALL = /^(?:\$ |- run: |sudo |[A-Z_]+=\S+ |npm ci && )*(?:npx )?gobonnie(?: |$)/;

/** Returns the commands to paste, with their comments; in a console, only lines that begin with the prompt. */
function findCommands(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(sh|console|yaml)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, kind, code = '']) => {
    const lines = code.replaceAll(/ \\\n */g, ' ').split('\n');
    return lines.filter((line) => CALL.test(line) && (kind !== 'console' || line.startsWith('$ ')));
  });
}

/** Returns the GiB that all runs of a command write in one directory. */
function estimateWrittenGib(command: string): number {
  const [, args = ''] =
    /(?:^|\s)gobonnie(?: (.*))?$/.exec(command.replace(/ *#.*| >.*| \|.*|; .*/, '')) ?? [];
  if (
    /^(show|compare|clean|explain|completion|zones|help|dev|load|ping|fill|first-read)\b|--help|--dry-run|--profile/.test(
      args,
    )
  )
    return 0;
  if (/--phases (create|install)| -- /.test(args)) return 0;
  const [, digits, unit] = /-(?:-?size|s)[ =]([\d.]+)(\w?)/.exec(args) ?? [];
  const envSize = /GOBONNIE_SIZE=([\d.]+)/.exec(command)?.[1];
  const ofPreset = /^(?:quick|sweep)\b(?!.*--preset (?:yabs|pg-test-fsync|gobonniego))/.test(args)
    ? '3'
    : undefined;
  const size = digits ?? envSize ?? ofPreset;
  if (size === undefined) return Number.POSITIVE_INFINITY;
  const isInMib = unit === 'M' || (unit === '' && /^bonnie(\+\+)? /.test(args));
  const [, runs = args.startsWith('ab ') ? 5 : 1] = /--runs (\d+)/.exec(args) ?? [];
  const [, maxRuns = args.includes('--until-stable') ? optionCatalogue.maxRuns.default : runs] =
    /--max-runs (\d+)/.exec(args) ?? [];
  return (Number(size) / (isInMib ? 1024 : 1)) * Number(maxRuns);
}

describe('a command that writes more than a few GiB has a comment with the size', () => {
  test.each(PAGES)('in %s', (page) => {
    const commands = findCommands(readFileSync(path.join(ROOT, page), 'utf8'));
    const large = commands.filter((line) => estimateWrittenGib(line) > A_FEW_GIB);
    expect(large.filter((line) => !/#.*(GiB|twice the (?:memory|RAM))/.test(line))).toEqual([]);
  });

  test.each([gobonnie, gobonniego, bonniego, bonnie, bonniePlusPlus])('in the help %#', (command) => {
    const [, examples = ''] = /\nExamples:\n([\s\S]*?)\n\n/.exec(readHelp(command)) ?? [];
    const lines = examples.split('\n').map((line) => line.replace(/ {3,}(?=\S)/, ' # '));
    expect(lines[0]).toMatch(/^ +gobonnie /);
    const large = lines.filter((line) => estimateWrittenGib(line) > A_FEW_GIB);
    expect(large.filter((line) => !/#.*GiB/.test(line))).toEqual([]);
  });
});

// In docs/warnings.md, commands read the report of the reader's own run.
test.each(PAGES.filter((page) => page !== 'docs/warnings.md'))(
  'every file that a command in %s reads is written by an earlier command',
  (page) => {
    const text = readFileSync(path.join(ROOT, page), 'utf8');
    const commands = findCommands(text);
    const writtenFiles = new Set<string>();
    for (const command of commands) {
      const line = command.replace(/ +#.*/, '');
      const outputs = [...line.matchAll(/(?:--out|>) (\S+)/g)].map(([, file = '']) => file);
      const inputs = line
        .replaceAll(/(?:--out|>) \S+/g, '')
        .match(/(?<= )[\w.+-]+\.(json|csv|txt|ndjson|md|xml)\b/g);
      for (const file of inputs ?? []) expect([...writtenFiles], command).toContain(file);
      for (const file of outputs) writtenFiles.add(file);
    }
  },
);

test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('every file that %s names exists', (page) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const names = Array.from(
    text.matchAll(/`((?:src|workers|test|docs|schema)\/[\w./-]+\.\w+)`/g),
    ([, name = '']) => name,
  );
  expect(names.filter((name) => !name.includes('NAME') && !existsSync(path.join(ROOT, name)))).toEqual([]);
});

/** Commands that measure nothing, need a report, or run a program. */
const WITHOUT_PLAN =
  /gobonnie (?:show|compare|clean|explain|completion|zones|help|bonnie|bonniego|gobonniego)\b|--baseline|--from| -- |--help|--version|--profile|--ranks|…/;
const DIRECTORY = /(?<= )(?:\/mnt\/\w+|\/var\/tmp|\/shared|DIR\d?)(?= |$)/g;

/** Returns the commands of a page that print a plan with --dry-run, in code blocks and in the cells of tables. */
function findPlannedCommands(page: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const cells = Array.from(text.matchAll(/^\|.*$/gm), ([row]) => [...row.matchAll(/`(gobonnie [^`]+)`/g)]);
  const commands = [...findCommands(text), ...cells.flat().map(([, command = '']) => command)];
  const planned = commands.map((line) => line.replace(/ *#.*| >.*| \|.*|; .*/, '').replace(/^npx /, ''));
  return planned.filter((line) => /^gobonnie(?: |$)/.test(line) && !WITHOUT_PLAN.test(line));
}

const PLANNED = [
  'README.md',
  'docs/README.md',
  'docs/first-result.md',
  'docs/fio.md',
  'docs/quick-and-sweep.md',
];

test.each(PLANNED)('%s has commands that print a plan', (page) => {
  expect(findPlannedCommands(page)).not.toEqual([]);
});

describe('a command of the docs prints its plan:', () => {
  useTemporaryDirectory(() => {
    mkdirSync('disk');
    writeFileSync('disk/data', new Uint8Array(8192), { flush: true });
  });

  test.each([...new Set(PLANNED.flatMap(findPlannedCommands))])('%s', async (command) => {
    const [args = []] = findCalls(command.replaceAll(DIRECTORY, 'disk'));
    const { stdout, stderr, exitCode } = await runInProcess([...args, '--dry-run']);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('Nothing was written.');
  });
});
