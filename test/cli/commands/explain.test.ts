import { describe, expect, test } from 'vitest';
import { examplesFor } from '../../../src/cli/argv/example.js';
import { optionRows } from '../../../src/cli/argv/option-rows.js';
import { wrapText } from '../../../src/cli/argv/wrap-text.js';
import { EXIT_CODES } from '../../../src/cli/exit-codes.js';
import { type Topic, topics } from '../../../src/cli/explain/topics.js';
import { SIGNAL_NAMES, signalExitCode } from '../../../src/cli/signals.js';
import { errorKind } from '../../../src/errors.js';
import { toFlag } from '../../../src/options/option-row.js';
import { warningSchema } from '../../../src/report/schema/report.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { expectAccepted } from '../argv/examples.js';

const WARNINGS = warningSchema.shape.code.options;

function codesOf(kind: Topic['kind']): readonly string[] {
  return topics.filter((topic) => topic.kind === kind).map(({ code }) => code);
}

describe('gobonnie explains', () => {
  test('every warning that a report can contain', () => {
    expect(codesOf('warning').toSorted()).toEqual(WARNINGS.toSorted());
  });

  test('every error with its exit code', () => {
    for (const { code, kind, exitCode } of topics) {
      if (kind !== 'error') continue;
      expect(exitCode, code).toBe(errorKind(code as Parameters<typeof errorKind>[0]) === 'usage' ? 2 : 1);
    }
    expect(codesOf('error').length).toBeGreaterThan(10);
  });

  test('every exit code, including the exit codes of signals', () => {
    const codes = [...Object.values(EXIT_CODES), ...[...SIGNAL_NAMES, 'SIGPIPE'].map(signalExitCode)];
    expect(codesOf('exit code').map(Number)).toEqual(codes.toSorted((a, b) => a - b));
  });

  test('each code only once', () => {
    expect(new Set(topics.map(({ code }) => code)).size).toBe(topics.length);
  });
});

test('explain without a code lists every code with its title once', async () => {
  const { stdout, stderr, exitCode } = await runInProcess(['explain']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const lines = stdout.split('\n');
  for (const { code, title } of topics)
    expect(lines.filter((line) => line.startsWith(`  ${code} `) && line.endsWith(`  ${title}`))).toHaveLength(
      1,
    );
});

describe.each(topics)('$code', (topic) => {
  test('has a title, cause, impact, remedy and examples', async () => {
    const { stdout, stderr, exitCode } = await runInProcess(['explain', topic.code]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const words = stdout.replace(/\s+/g, ' ');
    for (const part of [topic.kind, topic.title, topic.cause, topic.impact, topic.remedy])
      expect(words).toContain(part);
    for (const { command, comment } of examplesFor(topic.examples))
      expect(stdout).toMatch(lineOf(command, comment));
  });

  test('has examples that gobonnie accepts', async () => {
    for (const { command } of topic.examples) await expectAccepted(command);
  });

  test('fits a terminal of 100 columns', async () => {
    const { stdout } = await runInProcess(['explain', topic.code]);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('mentions only flags that exist', () => {
    const text = [topic.cause, topic.impact, topic.remedy, ...topic.examples.map(({ command }) => command)];
    const flags = text.join(' ').match(/(?<=^|\s)--[a-z][a-z-]+/g) ?? [];
    expect(flags.filter((flag) => !isKnown(flag))).toEqual([]);
  });
});

/** Flags of df and losetup in the examples, and a flag of every command. */
const OTHER_FLAGS = ['--output', '--direct-io', '--sector-size', '--help'];

function isKnown(flag: string): boolean {
  const own = Object.keys(optionRows).map(toFlag);
  return [...own, ...OTHER_FLAGS].includes(flag);
}

function lineOf(command: string, comment: string): RegExp {
  return new RegExp(`^  ${escaped(command)} +${escaped(comment)}$`, 'm');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

test.each([' Served-From-Cache ', 'SERVED-FROM-CACHE'])(
  'explain ignores case and surrounding spaces in %j',
  async (code) => {
    expect((await runInProcess(['explain', code])).stdout).toMatch(/^warning served-from-cache: /);
  },
);

test.each([
  ['served-from-cach', 'served-from-cach; did you mean served-from-cache?'],
  ['sevred-from-cache', 'sevred-from-cache; did you mean served-from-cache?'],
  ['contention', 'contention; did you mean device-contention?'],
  ['cach', 'cach; did you mean served-from-cache, cache-not-dropped, or cache-failed?'],
  ['4', '4; gobonnie explain lists all codes'],
  ['', '""; gobonnie explain lists all codes'],
  ['a\u001b[31m', '"a\\u001b[31m"; gobonnie explain lists all codes'],
  ['toString', 'toString; gobonnie explain lists all codes'],
])('the unknown code %j is rejected, with similar codes if any exist', async (code, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['explain', code]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toBe(`gobonnie: unknown code ${line}\n`);
});

test('a second code is rejected', async () => {
  const { stderr, exitCode } = await runInProcess(['explain', 'no-cleanup-process', 'cliff']);
  expect({ stderr, exitCode }).toEqual({
    stderr: 'gobonnie: there is no command or argument cliff; see gobonnie explain --help\n',
    exitCode: 2,
  });
});

test('docs/warnings.md contains every explanation', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/warnings.md');
});

const INTRODUCTION = `# Warnings, errors and exit codes

This is what \`gobonnie explain CODE\` prints. It is generated by \`npx vitest run test/cli/commands/explain.test.ts -u\`.
`;

const CHAPTERS: Readonly<Record<Topic['kind'], string>> = {
  warning: `## Warnings

A complete result can still be misleading. gobonnie prints warnings with their codes on stderr after the results. The report
has them for each phase (\`warnings\`).
`,
  error: `## Errors

An error ends a run with one line on stderr. Its code is in the library's \`GobonnieError\` (\`code\`) and, if the run had
begun, in the report (\`outcome\`).
`,
  'exit code': '## Exit codes\n',
};

function page(): string {
  const chapters = Object.entries(CHAPTERS).map(([kind, heading]) => {
    const sections = topics.filter((topic) => topic.kind === kind).map(section);
    return [heading, ...sections].join('\n');
  });
  return [INTRODUCTION, ...chapters].join('\n');
}

function section({ code, kind, title, cause, impact, remedy, examples, exitCode }: Topic): string {
  const ending = kind === 'error' ? ` Exit code ${exitCode}.` : '';
  const width = Math.max(...examples.map(({ command }) => command.length));
  const commands = examples.map(({ command, comment }) => `${command.padEnd(width)}   # ${comment}`);
  return `### \`${code}\`: ${title}

${paragraph(`${cause} ${impact}${ending}`)}

${paragraph(remedy)}

\`\`\`sh
${commands.join('\n')}
\`\`\`
`;
}

const PAGE_WIDTH = 120;

function paragraph(text: string): string {
  return wrapText(text.replace(/(?<!\S)--[a-z-]+/g, '`$&`'), PAGE_WIDTH);
}
