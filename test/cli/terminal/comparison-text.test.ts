import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { reportWith, runsAt } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { requireTools } from '../../support/tools.js';
import { ESCAPE, openWindowAt, SHORT_RUN, TERMINAL_TOOLS } from './screens.js';

beforeEach(requireTools(...TERMINAL_TOOLS));

/** Writes a report with these rates of the write phase. */
function writeReport(file: string, ...rates: readonly number[]): void {
  const report = reportWith({ runs: runsAt(...rates) });
  writeFileSync(file, JSON.stringify(report));
}

test('compare splits no word and no table row in a narrow window, and does not wrap JSON', async () => {
  const directory = makeDirectory();
  writeReport(path.join(directory, 'before.json'), 500e6, 501e6, 499e6);
  writeReport(path.join(directory, 'after.json'), 400e6, 400.8e6, 399.2e6);
  const screen = await openWindowAt(directory, { columns: 40 });
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
  await screen.type('$GOBONNIE compare before.json after.json --json; echo ended $?');
  await screen.untilRows(/^ended 3$/m);
  const [json = ''] = /^\{.*$/m.exec(screen.transcript()) ?? [];
  expect(JSON.parse(json).schema).toBe('gobonnie-comparison/1');
});

test('an empty line precedes the comparison with a baseline on a terminal', async () => {
  const directory = makeDirectory();
  const screen = await openWindowAt(directory, { columns: 80, rows: 60 });
  await screen.type(`cd $D; $GOBONNIE --dir . ${SHORT_RUN} --runs 1 -q --out before.json; clear`);
  await screen.untilPrompt();
  await screen.type(`$GOBONNIE --dir . ${SHORT_RUN} --baseline before.json --allow-cached --runs 1`);
  const text = (await screen.untilPrompt()).join('\n');
  expect(text).toMatch(
    /\n\n +before\.json +this run +change( +range)? +verdict\nwrite .*\nread .*\niops .*\n\n(note: |this run)/,
  );
});

test('ab prints the warnings of each directory below its name', async () => {
  const screen = await openWindowAt(makeDirectory(), { columns: 60 });
  await screen.type(
    `mkdir $D/a $D/b; clear; $GOBONNIE ab $D/a $D/b --size 0.01 --iops-duration 0.1 --runs 1; echo exit $?`,
  );
  const rows = await screen.untilPrompt();
  const [, ...parts] = rows.join('\n').split(/^ {2}\/.*\/([ab])$/m);
  const warning = expect.stringMatching(/^ {2}! /m);
  expect(parts).toEqual(['a', warning, 'b', warning]);
  expect(rows.filter((row) => row.includes('warning:'))).toEqual([]);
});
