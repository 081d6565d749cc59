import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callAtDeadline } from '../../../src/run/worker-pool/worker-pool.js';
import { NS_PER_MS } from '../../../src/text/units.js';

function msSince(startNs: bigint): number {
  return Number(process.hrtime.bigint() - startNs) / NS_PER_MS;
}

test('a deadline never fires early, at any fraction of a millisecond', async () => {
  for (let part = 0; part < 50; part++) {
    const nowNs = process.hrtime.bigint();
    while (msSince(nowNs) < part / 50);
    const startNs = process.hrtime.bigint();
    await new Promise<void>((resolve) => callAtDeadline(startNs, 2, resolve));
    expect(msSince(startNs)).toBeGreaterThanOrEqual(2);
  }
});

test('a cancelled deadline does nothing', async () => {
  let acted = false;
  const cancel = callAtDeadline(process.hrtime.bigint(), 200, () => {
    acted = true;
  });
  cancel();
  await sleep(300);
  expect(acted).toBe(false);
});
