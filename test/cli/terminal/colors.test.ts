import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { requireTools } from '../../support/tools.js';
import { ENDLESS_RUN, ESCAPE, openWindowAt, SHORT_RUN, stop, TERMINAL_TOOLS, UNDER_WAY } from './screens.js';

beforeEach(requireTools(...TERMINAL_TOOLS));

describe('on a terminal', () => {
  test('the progress line has colors', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type(`$GOBONNIE --dir $D ${ENDLESS_RUN}`);
    await screen.untilRows(UNDER_WAY);
    expect(await screen.colored()).toContain(`${ESCAPE}[36m`);
    await stop(screen);
  });

  test('a met condition is green, an unmet condition is red, and results have no color', async () => {
    const screen = await openWindowAt(makeDirectory());
    await screen.type(
      `$GOBONNIE --dir $D ${SHORT_RUN} --allow-cached --expect 'iops>0' --expect 'iops>1000M'; echo exit $?`,
    );
    const rows = await screen.untilPrompt();
    expect(rows.filter((row) => /^[✓✗]|^exit/.test(row))).toEqual([
      expect.stringMatching(/^✓ iops>0: [\d.]+\/s$/),
      expect.stringMatching(/^✗ iops>1000M: [\d.]+\/s$/),
      'exit 3',
    ]);
    const colored = await screen.colored();
    expect(colored).toMatch(/\p{Cc}\[32m(\p{Cc}\[49m)?✓ iops>0/u);
    expect(colored).toContain(`${ESCAPE}[31m✗ iops>1000M`);
    expect(colored).toMatch(/ {2}iops +\d+\/s +[\d.]+ \S+ +[\d.]+ \S+ {2}/);
  });
});
