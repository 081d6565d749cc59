// A service whose /health measures the disk with its data: 16 MiB, and 0.2 s of random operations.
// No condition passes in a directory in memory, as /tmp may be.
//   PORT=8080 DATA_DIR=/var/lib/service LIMIT_MS=5000 node server.js
import { createServer } from 'node:http';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { check, run } from 'gobonnie';

const { PORT = '8080', DATA_DIR = os.tmpdir(), LIMIT_MS = '5000', SECONDS = '0.2' } = process.env;
const { FLOORS = 'write>=20MB/s,iops>=200' } = process.env;

// Direct I/O, because the page cache would serve the reads of so little data.
const tiny = { dir: DATA_DIR, size: 1 / 64, threads: 1, direct: true, iopsDuration: Number(SECONDS) };
const shutdown = new AbortController();

/** The current measurement. Simultaneous requests share it. */
let measuring = null;

function measureOnce() {
  measuring ??= measure().finally(() => {
    measuring = null;
  });
  return measuring;
}

async function measure() {
  const limit = AbortSignal.timeout(Number(LIMIT_MS));
  try {
    // After an abort, run() removes its files and resolves.
    const report = await run(tiny, { signal: AbortSignal.any([limit, shutdown.signal]) });
    if (report.outcome.state !== 'completed') return { healthy: false, ...report.outcome };
    const verdicts = check(report, FLOORS.split(','));
    return { healthy: verdicts.every(({ passed }) => passed), state: 'completed', verdicts };
  } catch (error) {
    // The directory does not exist, or the disk is full.
    return { healthy: false, state: 'rejected', message: error.message, hint: error.hint };
  }
}

/** Resolves in time even if the disk does not respond: an operation that hangs in the kernel cannot be aborted. */
async function checkInTime() {
  const late = {
    healthy: false,
    state: 'late',
    message: `no response from ${DATA_DIR} within ${LIMIT_MS} ms`,
  };
  const timer = new AbortController();
  try {
    return await Promise.race([measureOnce(), wait(Number(LIMIT_MS) + 500, late, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

const server = createServer(async (request, response) => {
  if (request.url !== '/health') {
    response.writeHead(404).end();
    return;
  }
  const health = await checkInTime();
  response.writeHead(health.healthy ? 200 : 503, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(health)}\n`);
});

server.listen(Number(PORT), () => {
  console.log(`http://localhost:${server.address().port}/health`);
});

process.once('SIGTERM', () => {
  shutdown.abort('shutdown');
  server.close();
});
