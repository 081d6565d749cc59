import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { requireTools } from '../../support/tools.js';
import { ENDLESS_RUN, openWindowAt, stop, TERMINAL_TOOLS, UNDER_WAY } from './screens.js';

beforeEach(requireTools(...TERMINAL_TOOLS));

describe('a window', () => {
  test('that reports no width shows whole lines', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type('clear; stty cols 0; $GOBONNIE --size abc; $GOBONNIE clean --help');
    expect(await screen.untilPrompt()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^gobonnie: invalid --size abc: expected a number of GiB above 0 and at most$/),
        'Removes leftover files of killed runs from a directory.',
      ]),
    );
  });

  test('that shrinks and grows has a single progress line that fits', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS_RUN}`);
    await screen.untilRows(UNDER_WAY);
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
