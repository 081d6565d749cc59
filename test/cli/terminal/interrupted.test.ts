import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { FUSE_TOOLS, mountFuse } from '../../support/disks/fuse.js';
import type { Screen } from '../../support/programs/tmux.js';
import { needs } from '../../support/tool.js';
import { ENDLESS, ROWS, TERMINAL_TOOLS, told, UNDER_WAY, windowAt } from './screens.js';

beforeEach(needs(...TERMINAL_TOOLS));

const STOPPED = 'gobonnie: stopped by SIGINT after 0 complete runs; the temporary files are removed';

describe('Ctrl-C', () => {
  const isClean = async (screen: Screen) => {
    const rows = await screen.isReady();
    const { length } = await screen.rows();
    expect(await screen.cursor()).toEqual({ column: 2, row: length - 1, isVisible: true });
    expect(told(rows).filter((row) => /\^C| left$| % /.test(row))).toEqual([]);
    return rows;
  };

  test('leaves a clean line and a visible cursor', async () => {
    const screen = await windowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS}; echo exit $?`);
    await screen.shows(UNDER_WAY);
    await screen.press('C-c');
    expect(told(await isClean(screen))).toEqual([...ROWS.slice(0, 2), STOPPED, 'exit 130']);
  });

  describe('when the disk does not respond', () => {
    beforeEach(needs(...FUSE_TOOLS));

    test('is answered above the progress line, and a second one leaves a clean line', async () => {
      const fuse = await mountFuse();
      const screen = await windowAt(fuse.dir, { columns: 400 });
      await screen.type(`$GOBONNIE --dir $D ${ENDLESS} --io-size 4k --cache keep --stall-timeout 1`);
      await screen.shows(/^IOPS +\d+ % +[1-9]/m);
      fuse.stop();
      const [, line] = (await screen.shows(/no progress[^\n]*\nIOPS +\d+ % .* 0\/s/)).slice(-3);
      expect(line).toMatch(/^gobonnie: no progress for \d+ s, waiting for iops in .* Ctrl-C$/);
      await screen.press('C-c');
      await screen.shows(/^gobonnie: stuck waiting for iops .* to quit now\nIOPS/m);
      await screen.press('C-c');
      await screen.shows(/^gobonnie: quit at the second SIGINT/m);
      fuse.goOn();
      const rows = await screen.isReady();
      expect(rows.filter((row) => row.startsWith('IOPS'))).toEqual([]);
      expect((await screen.cursor()).isVisible).toBe(true);
    });
  });
});
