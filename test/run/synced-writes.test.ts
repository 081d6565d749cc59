import os from 'node:os';
import { formats, run } from 'gobonnie';
import { expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';

const SYNCED = { threads: 1, seconds: 0.3, syncPerWrite: 'fdatasync' } as const;

test('a step that syncs each write has the latencies of both parts, and other steps have none', async () => {
  const steps = [
    { ...SYNCED, phase: 'write', name: 'log', blockSize: '4k' },
    { ...SYNCED, phase: 'random', name: 'mixed', ioSize: '4k', mix: 50 },
    { phase: 'commit-etcd', seconds: 0.3 },
    { phase: 'read', name: 'scan' },
    { ...SYNCED, phase: 'write', name: 'flag', blockSize: '4k', syncPerWrite: 'o_dsync' },
  ] as const;
  const report = await run({ dir: makeDirectory(os.tmpdir()), size: '8M', steps });
  const measurements = report.runs[0]?.measurements ?? [];
  const find = (name: string) => measurements.find(({ step }) => step === name);
  for (const name of ['log', 'mixed', 'commit-etcd']) {
    const { operations = 0, latencyNs, syncedWrites, writes } = find(name) ?? {};
    const { writeLatencyNs, syncLatencyNs } = syncedWrites ?? {};
    const synced = writes ?? { operations, latencyNs };
    expect(syncLatencyNs?.samples).toBeLessThanOrEqual(synced.operations);
    expect(syncLatencyNs?.samples).toBeGreaterThan(0);
    // The parts are the whole.
    const sum = (writeLatencyNs?.mean ?? 0) + (syncLatencyNs?.mean ?? 0);
    expect(sum / (synced.latencyNs?.mean ?? 0)).toBeGreaterThan(0.5);
    expect(sum / (synced.latencyNs?.mean ?? 0)).toBeLessThan(1.5);
  }
  for (const name of ['scan', 'flag']) expect(find(name)?.syncedWrites).toBeUndefined();
  expect(formats.csv(report)).toContain(
    ',write_latency_p99_seconds,write_latency_max_seconds,sync_latency_p50_seconds,',
  );
  expect(formats.prometheus(report)).toMatch(
    /^gobonnie_sync_latency_seconds\{.*step="log",quantile="0\.99"\} /m,
  );
  expect(formats.prometheus(report).match(/^gobonnie_(reads|writes)_latency_.*0\.99"/gm)).toEqual(
    ['reads', 'writes'].map((part) => expect.stringMatching(`^gobonnie_${part}_.*step="mixed"`)),
  );
  expect(formats.markdown(report)).toContain('log');
});
