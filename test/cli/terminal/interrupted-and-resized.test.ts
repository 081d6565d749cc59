import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { FUSE_TOOLS, mountFuse } from '../../support/disks/fuse.js';
import { requireTools } from '../../support/tools.js';
import {
  ENDLESS_RUN,
  ESCAPE,
  IOPS_LINE,
  openWindowAt,
  ROWS,
  stableRows,
  stop,
  TERMINAL_TOOLS,
} from './screens.js';

beforeEach(requireTools(...TERMINAL_TOOLS));

const STOPPED = 'gobonnie: stopped by SIGINT after 0 complete runs; the temporary files are removed';

test('Ctrl-C leaves a clean line and a visible cursor', async () => {
  const screen = await openWindowAt(makeDirectory());
  await screen.type(`$GOBONNIE --dir $D ${ENDLESS_RUN}; echo exit $?`);
  await screen.untilRows(IOPS_LINE);
  await screen.press('C-c');
  const rows = stableRows(await screen.untilPrompt());
  expect(rows).toEqual([...ROWS.slice(0, 2), STOPPED, 'exit 130']);
  const { length } = await screen.rows();
  expect(await screen.cursor()).toEqual({ column: 2, row: length - 1, isVisible: true });
});

describe('when the disk does not respond', () => {
  beforeEach(requireTools(...FUSE_TOOLS));

  test('prints a message above the progress line, and a second Ctrl-C leaves a clean line', async () => {
    const fuse = await mountFuse();
    const screen = await openWindowAt(fuse.dir, { columns: 400 });
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS_RUN} --io-size 4k --cache keep --stall-timeout 1`);
    await screen.untilRows(/^IOPS +\d+ % +[1-9]/m);
    fuse.stop();
    const [, line] = (await screen.untilRows(/no progress[^\n]*\nIOPS +\d+ % .* 0\/s/)).slice(-3);
    expect(line).toMatch(/^gobonnie: no progress for \d+ s, waiting for iops in .* Ctrl-C$/);
    await screen.press('C-c');
    await screen.untilRows(/^gobonnie: stuck waiting for iops .* to quit now\nIOPS/m);
    await screen.press('C-c');
    await screen.untilRows(/^gobonnie: killed by another SIGINT/m);
    fuse.resume();
    const rows = await screen.untilPrompt();
    expect(rows.filter((row) => row.startsWith('IOPS'))).toEqual([]);
    expect((await screen.cursor()).isVisible).toBe(true);
  });
});

describe('a window', () => {
  test('that reports no width shows whole lines', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type('clear; stty cols 0; $GOBONNIE --size abc; $GOBONNIE clean --help');
    expect(await screen.untilPrompt()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^gobonnie: invalid --size abc: expected a number of GiB above 0 and at most$/),
        'Removes leftover files of killed runs from a directory, and the control groups of killed commands.',
      ]),
    );
  });

  test('that shrinks and grows has a single progress line, in color, that fits', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS_RUN}`);
    await screen.untilRows(IOPS_LINE);
    expect(await screen.colored()).toContain(`${ESCAPE}[36m`);
    // Match only the end, because the old frame remains wrapped until the next frame.
    for (const [columns, line] of [
      [40, /\nIOPS +\d+ % +\d+\/s +\d+:\d\d left$/],
      [12, /\nIOPS +\d+ %$/],
      [100, /\nIOPS +\d+ % +\d+\/s +\d+:\d\d left {2}[▁▂▃▄▅▆▇█]+·+ +[\d.]+ of 600 s$/],
    ] as const) {
      await screen.resize(columns);
      const rows = await screen.untilRows(line);
      expect(rows.filter((row) => /left|^iops| % |·/i.test(row))).toEqual([rows.at(-1)]);
    }
    await stop(screen);
  });
});
