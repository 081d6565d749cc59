import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { requireTools } from '../../support/tools.js';
import { ESCAPE, openWindowAt, SHORT_RUN, TERMINAL_TOOLS } from './screens.js';

beforeEach(requireTools(...TERMINAL_TOOLS));

/** Creates a directory with two reports, of which the second has a 20 % slower write. */
function withReports(): string {
  const directory = makeDirectory();
  for (const [name, factor] of [
    ['before.json', 1],
    ['after.json', 0.8],
  ] as const) {
    const runs = runsAt(...[500e6, 501e6, 499e6].map((rate) => rate * factor));
    const report = reportWith({ runs, outcome: { state: 'completed' } });
    writeFileSync(path.join(directory, name), JSON.stringify(report));
  }
  return directory;
}

test('compare splits no word and no table row in a narrow window', async () => {
  const screen = await openWindowAt(withReports(), { columns: 40 });
  await screen.type('cd $D; clear');
  await screen.untilPrompt();
  await screen.type('$GOBONNIE compare before.json after.json; echo exit $?');
  await screen.untilRows(/exit \d/);
  // The shell may wrap the command itself.
  const rows = (await screen.rows()).join('\n').split('$?\n').at(-1)?.split('\n') ?? [];
  expect(rows[0]?.trim().split(/ {2,}/)).toEqual(['after.json', 'change', 'verdict']);
  expect(rows[1]).toMatch(/^write .* worse$/);
  const sentence = rows.slice(rows.indexOf('') + 1, rows.indexOf('exit 3'));
  expect(sentence.map((row) => row.trim()).join(' ')).toBe(
    'after.json is 1.25 ± 0.01 times slower than before.json in write, a regression of more than 10 %.',
  );
  expect(await screen.colored()).toContain(`${ESCAPE}[31mworse`);
});

test('compare wraps neither JSON on a terminal nor text in a pipe', async () => {
  const directory = withReports();
  const screen = await openWindowAt(directory, { columns: 40 });
  await screen.type('cd $D; $GOBONNIE compare before.json after.json | cat >piped');
  await screen.untilPrompt();
  expect(readFileSync(path.join(directory, 'piped'), 'utf8').split('\n')).toHaveLength(5);
  await screen.type('$GOBONNIE compare before.json after.json --json; echo exit $?');
  await screen.untilRows(/exit 3/);
  const [json = ''] = /^\{.*$/m.exec(screen.transcript()) ?? [];
  expect(JSON.parse(json).schema).toBe('gobonnie-comparison/1');
});

test('an empty line precedes the comparison with a baseline on a terminal', async () => {
  const directory = makeDirectory();
  const screen = await openWindowAt(directory, { columns: 80, rows: 60 });
  await screen.type(`cd $D; $GOBONNIE --dir . ${SHORT_RUN} -q --out before.json; clear`);
  await screen.untilPrompt();
  await screen.type(`$GOBONNIE --dir . ${SHORT_RUN} --baseline before.json --allow-cached`);
  const text = (await screen.untilPrompt()).join('\n');
  expect(text).toMatch(
    /\n\n +before\.json +this run +change( +range)? +verdict\nwrite .*\nread .*\niops .*\n\n(note: |this run)/,
  );
});

test('ab prints the warnings of each directory below its name', async () => {
  const screen = await openWindowAt(makeDirectory(), { columns: 60 });
  await screen.type(`mkdir $D/a $D/b; clear; $GOBONNIE ab $D/a $D/b ${SHORT_RUN} --runs 2; echo exit $?`);
  const rows = await screen.untilPrompt();
  const [, ...parts] = rows.join('\n').split(/^ {2}\/.*\/([ab])$/m);
  const warning = expect.stringMatching(/^ {2}! /m);
  expect(parts).toEqual(['a', warning, 'b', warning]);
  expect(rows.filter((row) => row.includes('warning:'))).toEqual([]);
});
