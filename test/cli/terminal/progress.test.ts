import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { unpainted } from '../../../src/format/paint.js';
import { makeDirectory } from '../../directory.js';
import { FUSE_TOOLS, mountFuse } from '../../fuse.js';
import { openWindow, type Screen, type WindowOptions } from '../../tmux.js';
import { needs } from '../../tool.js';

beforeEach(needs('tmux', 'env', 'sh'));

const SHORT = '--size 0.01 --threads 2 --iops-duration 1';
const ENDLESS = '--size 0.01 --threads 2 --iops-duration 600';
const UNDER_WAY = /^ *IOPS +\d+ % .*\d\/s/m;
const ESCAPE = '\u001b';
const RESULTS = [
  /^Sequential Write MB\/s: \d+\.\d\d$/,
  /^Sequential Read MB\/s: \d+\.\d\d$/,
  /^IOPS: \d+$/,
].map((line) => expect.stringMatching(line));
const STOPPED = 'gobonnie: stopped by SIGINT after 0 complete runs; the temporary files are removed';

/** A shell that knows a directory to measure in. */
async function windowAt(dir: string, { env, ...options }: WindowOptions = {}): Promise<Screen> {
  return openWindow({ ...options, env: { ...env, D: dir } });
}

/** What was drawn over itself, each as wide as it was to be seen. */
function framesOf(sent: string): readonly string[] {
  const drawn = sent.split(`${ESCAPE}[?7l`).slice(1);
  return drawn.map((text) => unpainted(text.split(`${ESCAPE}[?7h${ESCAPE}[J\r`)[0] ?? ''));
}

/** All but what was typed, that it was started, and the warnings, which depend on the machine. */
function told(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !/^\$ |^[\d/]+ [\d:]+ (gobonnie starting|warning: )/.test(line));
}

async function stop(screen: Screen): Promise<void> {
  await screen.press('C-c');
  await screen.isReady();
}

describe('what a run shows', () => {
  test('is how far each phase is, and then its result in that place', async () => {
    const screen = await windowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${SHORT}; echo exit $?`);
    expect(told(await screen.isReady())).toEqual([...RESULTS, 'exit 0']);
    const frames = framesOf(screen.sent()).filter((frame) => /^IOPS +\d/.test(frame));
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames)
      expect(frame).toMatch(/^IOPS +\d+ % +[\d.]+ of 1 s +\d+\/s {2}[▁▂▃▄▅▆▇█]+·* +\d:\d\d left$/);
  });

  test('is on stderr, be stdout what it may', async () => {
    const answer = path.join(makeDirectory(), 'answer');
    const screen = await windowAt(makeDirectory(), { env: { ANSWER: answer } });
    await screen.type(`$GOBONNIE --dir $D ${SHORT} --json >$ANSWER; $GOBONNIE --dir $D ${SHORT} | cat`);
    expect(told(await screen.isReady())).toEqual(RESULTS);
    const text = readFileSync(answer, 'utf8');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text))}\n`);
    expect(JSON.parse(text).results).toHaveLength(1);
    expect(framesOf(screen.sent()).some((frame) => UNDER_WAY.test(frame))).toBe(true);
  });

  test('is of several directories which it is, and of which run', async () => {
    const [dir, other] = [makeDirectory(), makeDirectory()];
    const screen = await windowAt(dir, { columns: 120, env: { OTHER: other } });
    await screen.type(`$GOBONNIE ab $D $OTHER ${SHORT} --runs 2; echo exit $?`);
    expect((await screen.isReady()).at(-1)).toBe('exit 0');
    const shown = framesOf(screen.sent()).map((frame) => frame.match(/^(\S+ {2}run \d\/2) {2}IOPS +\d/)?.[1]);
    const [one, two] = [dir, other].map((name) => name.slice(-24));
    expect([...new Set(shown)].filter(Boolean)).toEqual([
      `${one}  run 1/2`,
      `${two}  run 1/2`,
      `${two}  run 2/2`,
      `${one}  run 2/2`,
    ]);
  });

  test('is ASCII in a locale that knows no more', async () => {
    const screen = await windowAt(makeDirectory(), { env: { LANG: 'C' } });
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS}`);
    await screen.shows(UNDER_WAY);
    await stop(screen);
    const frames = framesOf(screen.sent()).filter((frame) => UNDER_WAY.test(frame));
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/\/s {2}[-_~=+*%#]+\.* /);
  });

  test.each([
    ['-q', '', {}],
    ['a terminal that obeys no escapes', '', { TERM: 'dumb' }],
    ['CI', '', { CI: 'true' }],
    ['a stderr that is no terminal', '2>$LOG', {}],
  ])('is nothing with %s', async (name, redirection, env) => {
    const log = path.join(makeDirectory(), 'log');
    const screen = await windowAt(makeDirectory(), { env: { ...env, LOG: log } });
    await screen.type(
      `$GOBONNIE --dir $D ${SHORT} ${name === '-q' ? name : ''} ${redirection}; echo exit $?`,
    );
    expect(told(await screen.isReady())).toEqual([...RESULTS, 'exit 0']);
    expect(screen.sent()).not.toContain(ESCAPE);
    if (redirection !== '') expect(readFileSync(log, 'utf8')).not.toContain(ESCAPE);
  });

  test.each(['bonnie -s 2', 'bonnie++ -s 64 -f -r 0 -n 0 -u root'])(
    'is what its ancestor said with %s',
    async (dialect) => {
      const screen = await windowAt(makeDirectory());
      await screen.type(`$GOBONNIE ${dialect} -d $D; echo exit $?`);
      const rows = await screen.isReady();
      expect(rows.at(-1)).toBe('exit 0');
      expect(rows.some((row) => /^Writing intelligently\.\.\. *done/.test(row))).toBe(true);
      expect(framesOf(screen.sent())).toEqual([]);
    },
  );
});

describe('the colours', () => {
  const seenUnderWay = async (flags: string, env: Readonly<Record<string, string>>) => {
    const screen = await windowAt(makeDirectory(), { env });
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS} ${flags}`);
    await screen.shows(UNDER_WAY);
    const colored = await screen.colored();
    await stop(screen);
    return colored;
  };

  test.each([
    ['', {}],
    ['--color', { NO_COLOR: '1' }],
  ])('are there with %j and %j', async (flags, env) => {
    expect(await seenUnderWay(flags, env)).toContain(`${ESCAPE}[36m`);
  });

  test.each([
    ['', { NO_COLOR: '1' }],
    ['--no-color', { FORCE_COLOR: '1' }],
  ])('are not with %j and %j', async (flags, env) => {
    expect(await seenUnderWay(flags, env)).not.toContain(ESCAPE);
  });

  test('tell what is met from what is not, and never touch the figures', async () => {
    const screen = await windowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${SHORT} --expect 'iops>0' --expect 'iops>1000M'; echo exit $?`);
    const rows = await screen.isReady();
    expect(rows.slice(-3)).toEqual([
      expect.stringMatching(/^✓ iops>0: \d+\/s$/),
      expect.stringMatching(/^✗ iops>1000M: \d+\/s$/),
      'exit 3',
    ]);
    const colored = await screen.colored();
    expect(colored).toContain(`${ESCAPE}[32m✓ iops>0`);
    expect(colored).toContain(`${ESCAPE}[31m✗ iops>1000M`);
    expect(colored).toMatch(/^IOPS: \d+$/m);
  });
});

describe('Ctrl-C', () => {
  const isClean = async (screen: Screen) => {
    const rows = await screen.isReady();
    const { length } = await screen.rows();
    expect(await screen.cursor()).toEqual({ column: 2, row: length - 1, isVisible: true });
    expect(rows.filter((row) => /\^C| left$| % /.test(row) && !row.startsWith('$'))).toEqual([]);
    return rows;
  };

  test('leaves a clean line, and the cursor to be seen', async () => {
    const screen = await windowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS}; echo exit $?`);
    await screen.shows(UNDER_WAY);
    await screen.press('C-c');
    expect(told(await isClean(screen))).toEqual([...RESULTS.slice(0, 2), STOPPED, 'exit 130']);
  });

  describe('where the kernel does not answer', () => {
    beforeEach(needs(...FUSE_TOOLS));

    test('what is told of that stands above, and a second one leaves a clean line', async () => {
      const fuse = await mountFuse();
      const screen = await windowAt(fuse.dir, { columns: 400 });
      await screen.type(`$GOBONNIE --dir $D ${ENDLESS} --io-size 4k --cache keep --stall-timeout 1`);
      await screen.shows(/^IOPS +\d+ % +[1-9]/m);
      fuse.stop();
      const [, line] = (await screen.shows(/nothing has moved[^\n]*\nIOPS +\d+ % .* 0\/s/)).slice(-3);
      expect(line).toMatch(
        /^gobonnie: nothing has moved for 1 s: the kernel does not answer iops in .* Ctrl-C$/,
      );
      await screen.press('C-c');
      await screen.shows(/^gobonnie: the kernel does not answer iops .* leaves at once,[^\n]*\nIOPS/m);
      await screen.press('C-c');
      await screen.shows(/^gobonnie: left at once by a second SIGINT/m);
      fuse.goOn();
      const rows = await screen.isReady();
      expect(rows.filter((row) => row.startsWith('IOPS'))).toEqual([]);
      expect((await screen.cursor()).isVisible).toBe(true);
    });
  });
});

describe('a window', () => {
  test('of 40 columns has a line of less than 40', async () => {
    const screen = await windowAt(makeDirectory(), { columns: 40 });
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS}`);
    const rows = await screen.shows(UNDER_WAY);
    expect(rows.at(-1)).toMatch(/^IOPS +\d+ % +\d+\/s +\d+:\d\d left$/);
    await stop(screen);
    for (const frame of framesOf(screen.sent())) expect(frame.length).toBeLessThan(40);
  });

  test('that is made narrower and wider again keeps one line, and that fits', async () => {
    const screen = await windowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS}`);
    await screen.shows(UNDER_WAY);
    // At the very end: what was there is wrapped until the next frame.
    for (const [columns, line] of [
      [40, /\nIOPS +\d+ % +\d+\/s +\d+:\d\d left$/],
      [12, /\nIOPS +\d+ %$/],
      [100, /\nIOPS +\d+ % +[\d.]+ of 600 s +\d+\/s {2}[▁▂▃▄▅▆▇█]+·+ +\d+:\d\d left$/],
    ] as const) {
      await screen.resize(columns);
      const rows = await screen.shows(line);
      expect(rows.filter((row) => /left|^iops| % |·/i.test(row))).toEqual([rows.at(-1)]);
    }
    await stop(screen);
  });
});
