import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Request } from '../../../workers/engine/engine.js';
import { PacedEngine } from '../../../workers/engine/paced-engine.js';
import { readClockNs } from '../../../workers/latency-recorder.js';
import { LIMIT, PAUSED_SECONDS, RECENT_OPERATIONS, STOPPED } from '../../../workers/protocol.js';

test('a limit that is set during an operation ends the pause after it', () => {
  const file = fileURLToPath(import.meta.url);
  const fd = openSync(file, 'r');
  const slice = { fileIndex: 0, file, offsetBytes: 0, lengthBytes: 1 };
  const request = {
    ...({ slot: 0, call: 'read', positionBytes: 0, doneBytes: 0 } satisfies Partial<Request>),
    file: { fd, index: 0, slice },
    memory: new Uint8Array(1),
    startNs: readClockNs(),
  };
  const flags = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const progress = new Float64Array(PAUSED_SECONDS + 2);
  const recent = new Float64Array(2 * RECENT_OPERATIONS);
  new PacedEngine<Request & { startNs: number }>(request, 2500, { flags, progress, recent }).run({
    next: () => flags[LIMIT] !== STOPPED,
    advance() {
      flags[LIMIT] = STOPPED;
      return true;
    },
  });
  closeSync(fd);
  expect(progress[PAUSED_SECONDS]).toBe(0);
});
