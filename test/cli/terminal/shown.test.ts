import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { requireTools } from '../../support/tools.js';
import { makeSparseFile } from '../../zones/files.js';
import {
  ENDLESS_RUN,
  ESCAPE,
  IOPS_LINE,
  LONGER_RUN,
  openWindowAt,
  ROWS,
  SHORT_RUN,
  splitFrames,
  stableRows,
  stop,
  TERMINAL_TOOLS,
} from './screens.js';

beforeEach(requireTools(...TERMINAL_TOOLS));

describe('the progress line', () => {
  test('shows the progress of each phase, until its result replaces it', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${LONGER_RUN}; echo exit $?`);
    expect(stableRows(await screen.untilPrompt())).toEqual([...ROWS, 'exit 0']);
    const frames = splitFrames(screen.transcript()).filter((frame) => /^IOPS +\d/.test(frame));
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames)
      expect(frame).toMatch(/^IOPS +\d+ % +\d+\/s +\d:\d\d left {2}[▁▂▃▄▅▆▇█]+·* +[\d.]+ of 2 s$/);
  });

  test('is not shown beside events on the same screen, and does not flicker if events go to a file', async () => {
    const screen = await openWindowAt(makeDirectory(), {
      env: { OUTPUT: path.join(makeDirectory(), 'output') },
    });
    await screen.type(`$GOBONNIE --dir $D ${SHORT_RUN} --format ndjson | cat; echo exit $?`);
    await screen.untilPrompt();
    expect(splitFrames(screen.transcript())).toEqual([]);
    await screen.type(`clear; $GOBONNIE --dir $D ${SHORT_RUN} --format ndjson >$OUTPUT; echo ended $?`);
    await screen.untilRows(/^ended 0$/m);
    // The program erases the line only for a message and at the end: erasing every frame would flicker.
    const erasures = screen.transcript().split(`\r${ESCAPE}[J`).length - 1;
    const messages = screen.transcript().split('\n').length - 1;
    expect(splitFrames(screen.transcript()).length).toBeGreaterThan(0);
    expect(erasures).toBeLessThanOrEqual(messages);
  });

  test('of ab has the directory and the run number', async () => {
    const dir = makeDirectory();
    const other = makeDirectory();
    const screen = await openWindowAt(dir, { columns: 120, env: { OTHER: other } });
    await screen.type(`$GOBONNIE ab $D $OTHER ${SHORT_RUN} --runs 2; echo exit $?`);
    expect((await screen.untilPrompt()).at(-1)).toBe('exit 0');
    const shown = splitFrames(screen.transcript()).map((frame) => frame.match(/ {2}(\S+ {2}run \d\/2)/)?.[1]);
    const one = dir.slice(-24);
    const two = other.slice(-24);
    expect([...new Set(shown)].filter(Boolean)).toEqual([
      `${one}  run 1/2`,
      `${two}  run 1/2`,
      `${two}  run 2/2`,
      `${one}  run 2/2`,
    ]);
  });

  test('of ab with a command has the run, the time left, and what happens, and no line is left of it', async () => {
    const screen = await openWindowAt(makeDirectory(), { columns: 120, env: { OTHER: makeDirectory() } });
    await screen.type('cd $D; clear; $GOBONNIE ab $D $OTHER -- sleep 0.3; echo exit $?');
    expect((await screen.untilPrompt()).at(-1)).toBe('exit 0');
    const shown = splitFrames(screen.transcript());
    expect(shown).toContainEqual(expect.stringMatching(/^first run, (1:00|0:59) left {2}\/\S+: sleep 0\.3$/));
    expect(shown).toContainEqual(expect.stringMatching(/^run 5, 0:5\d left {2}\/\S+: sleep 0\.3$/));
    expect((await screen.rows()).filter((row) => row.includes(' left'))).toEqual([]);
  });

  test('of dev is below the workloads that have ended', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type('$GOBONNIE dev $D --packages 20 --reference $D; echo exit $?');
    await screen.untilRows(/^SQLite +commits +[\d,]+\/s.*\netcd Append/m);
    await screen.untilRows(/^exit 0$/m);
  });

  test('of zones shows the progress of the read, and is erased by Ctrl-C', async () => {
    const screen = await openWindowAt(makeDirectory(), { env: { HOLE: makeSparseFile(8 * 1024 ** 4) } });
    await screen.type('$GOBONNIE zones --block 8192 $HOLE; echo exit $?');
    await screen.untilRows(/^Reading +\d+ % +\d+ MB\/s .* left .*·/m);
    await screen.press('C-c');
    const lines = await screen.untilPrompt();
    expect(lines.at(-1)).toBe('exit 130');
    expect(lines.filter((line) => line.includes('left'))).toEqual([]);
  });

  test('is not shown with -q, with bonnie, or if stderr is a file', async () => {
    const log = path.join(makeDirectory(), 'log');
    const screen = await openWindowAt(makeDirectory(), { env: { LOG: log } });
    await screen.type(`$GOBONNIE --dir $D ${SHORT_RUN} -q; echo exit $?`);
    expect(stableRows(await screen.untilPrompt())).toEqual([...ROWS, 'exit 0']);
    await screen.type(`clear; $GOBONNIE --dir $D ${SHORT_RUN} 2>$LOG; $GOBONNIE bonnie -s 2 -d $D`);
    const rows = await screen.untilPrompt();
    expect(stableRows(rows).slice(0, 3)).toEqual(ROWS);
    expect(rows.some((row) => /^Writing intelligently\.\.\. *done/.test(row))).toBe(true);
    expect(splitFrames(screen.transcript())).toEqual([]);
    expect(readFileSync(log, 'utf8')).not.toContain(ESCAPE);
  });
});

test('the progress line is hidden in the background, and appears in the foreground', async () => {
  const screen = await openWindowAt(makeDirectory());
  await screen.type(`$GOBONNIE --dir $D ${ENDLESS_RUN} &`);
  await screen.untilRows(/^ {2}read /m);
  await screen.type('sleep 0.5; echo slept');
  await screen.untilRows(/^slept\n\$$/m);
  expect(splitFrames(screen.transcript())).toEqual([]);
  await screen.type('fg');
  await screen.untilRows(IOPS_LINE);
  await stop(screen);
});

test('a run splits no word in a window of 40 columns', async () => {
  // A busy machine adds a warning of several rows.
  const screen = await openWindowAt(makeDirectory(), { columns: 40, rows: 60 });
  await screen.type(`clear; $GOBONNIE --dir $D ${SHORT_RUN} --expect 'iops>0'; echo exit $?`);
  const rows = await screen.untilPrompt();
  const text = rows.join(' ').replace(/\s+/g, ' ');
  for (const words of [
    /gobonnie \S+ \/\S+: tmpfs on tmpfs 10\.2 MiB, 2 threads, buffered/,
    /! \/\S+ is in memory \(tmpfs\), so the results do not show a disk's speed; use a directory on the disk to measure memory-filesystem/,
    /For details: gobonnie explain memory-filesystem/,
    /\? iops>0: \d+\/s as timed, but \/\S+ is in memory \(tmpfs\); measure a directory on a disk, or pass --allow-cached/,
  ])
    expect(text).toMatch(words);
  expect(rows.filter((row) => row.startsWith('  write '))).toEqual([
    expect.stringMatching(/^ {2}write +[\d.]+ MB\/s/),
  ]);
});

test.each([
  [
    'clean --help',
    /print the files to remove, and remove nothing/,
    /removes any remaining files, for example after a power failure\./,
  ],
  ['explain cliff', /The rate was steady, then fell to 50 % of its level or less and remained there\./],
])('gobonnie %s wraps its text to the window without splitting words', async (command, ...sentences) => {
  const screen = await openWindowAt(makeDirectory(), { columns: 52 });
  await screen.type(`clear; $GOBONNIE ${command}; echo exit $?`);
  const text = (await screen.untilPrompt()).join(' ').replace(/\s+/g, ' ');
  expect(text).toContain('exit 0');
  for (const sentence of sentences) expect(text).toMatch(sentence);
});

test('under npx a message names npx commands, on a terminal and in a log', async () => {
  const screen = await openWindowAt(makeDirectory(), { env: { npm_command: 'exec' } });
  await screen.type('clear; $GOBONNIE explain nothing-like-it; $GOBONNIE explain nothing-like-it 2>&1 | cat');
  expect((await screen.untilPrompt()).filter((row) => row.startsWith('gobonnie: '))).toEqual([
    'gobonnie: unknown code nothing-like-it; npx gobonnie explain lists all codes',
    'gobonnie: unknown code nothing-like-it; npx gobonnie explain lists all codes',
  ]);
});
