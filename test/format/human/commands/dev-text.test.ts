import { describe, expect, test } from 'vitest';
import { devText } from '../../../../src/format/human/commands/dev-text.js';
import { PLAIN_SCREEN } from '../../../../src/format/human/screen.js';
import type { Measurement, Report } from '../../../../src/report/schema/report.js';
import { phases } from '../../../../workers/phases/phase-catalogue.js';
import { measurementWith, reportWith, runWith } from '../../../support/data/fixtures.js';

const FILES = 3500;
const MICROSECOND_NS = 1000;
const SHARE = { readBytes: 0, writtenBytes: 0, dirtyBytes: null, share: 1, reason: null };

function stepWith(step: string, seconds: number, facts: Partial<Measurement> = {}): Measurement {
  const operations = facts.operations ?? FILES;
  const rates = { operationsPerSecond: operations / seconds, primaryRate: 'operations' as const };
  const title = phases.find(({ name }) => name === step)?.title ?? step;
  return measurementWith({ step, title, seconds, operations, device: SHARE, ...rates, ...facts });
}

/** A measured commit whose latencies are all the same. */
function commitWith(step: string, microseconds: number): Measurement {
  const { latencyNs } = measurementWith();
  if (!latencyNs) throw new Error('the fixture has latencies');
  const ns = microseconds * MICROSECOND_NS;
  const same = { ...latencyNs, p50: ns, p99: ns };
  return stepWith(step, 2, { operations: 2e6 / microseconds, latencyNs: same });
}

const STEPS = [
  stepWith('install', 0.2),
  stepWith('flush', 0.04),
  stepWith('status', 0.02),
  stepWith('status-cold', 0.07),
  commitWith('commit-wal', 250),
  commitWith('commit-journal', 1250),
  commitWith('commit-etcd', 400),
  stepWith('restore', 0.3, { writtenBytes: 21_700_000 }),
  stepWith('clean', 0.08),
];

function render(steps: readonly Measurement[], facts: Partial<Report> = {}): string {
  const report = reportWith({ runs: [runWith({ measurements: [...steps] })], ...facts });
  const options = { ...report.options, packages: 100, stonewallSeconds: 10 };
  return devText({ ...report, options, ...facts }, PLAIN_SCREEN);
}

/** Each step of the reference takes this share of the time of the steps above. */
function referenceWith(share: number): Report['reference'] {
  const steps = ['install', 'status', 'restore', 'clean'].map((step) => {
    const here = STEPS.find((one) => one.step === step);
    const seconds = (here?.seconds ?? 0) * share;
    return { step, seconds, perSecond: FILES / seconds, microsecondsPerCall: 2 };
  });
  return { directory: '/dev/shm', filesystem: 'tmpfs', steps };
}

const targetOn = (filesystem: string) => ({ ...reportWith().target, filesystem });

test('each workload has a line, and all times on files are for 1,000 packages, like the savings', () => {
  expect(render(STEPS, { target: targetOn('xfs') })).toBe(
    [
      'npm ci      1,000 packages  2 s of I/O (17,500 files/s), flush 0.4 s',
      'git status  1,000 packages  0.2 s warm, 0.7 s cold',
      'rm -rf      1,000 packages  0.8 s',
      'SQLite      commits         4,000/s, p99 250 µs; rollback journal 800/s',
      'etcd        commits         2,500/s, p99 400 µs: good',
      'tar x       1,000 packages  3 s',
      '',
    ].join('\n'),
  );
});

test('a cold status is shown only if its cache was cold', () => {
  const unknown = { ...SHARE, share: null, reason: 'the device read nothing' };
  const text = render([stepWith('status', 0.02), stepWith('status-cold', 0.07, { device: unknown })]);
  expect(text).toBe('git status  1,000 packages  0.2 s warm\n');
});

test('a p99 of 10 ms or more is too slow for etcd', () => {
  const text = render([commitWith('commit-wal', 9000), commitWith('commit-etcd', 10_000)]);
  expect(text).toContain('p99 10 ms: too slow for etcd (< 10 ms)');
});

test.each([
  ['names', 'write', 500, true],
  ['does not name', 'read', 500, false],
  ['does not name', 'write', 500_000, false],
] as const)(
  'dev %s a limit on %ss of %i per second for 62 commits per second',
  (_, direction, perSecond, isNamed) => {
    const ioLimits = [{ direction, unit: 'operations' as const, perSecond, file: '/sys/limit' }];
    const text = render([commitWith('commit-wal', 16_000)], { target: { ...reportWith().target, ioLimits } });
    expect(text.includes(`Quota: ${perSecond}/s, configured in /sys/limit.`)).toBe(isNamed);
  },
);

describe('runs of an installation on ext4', () => {
  const renderRuns = (seconds: readonly number[]) => {
    const runs = seconds.map((one) => runWith({ measurements: [stepWith('install', one)] }));
    const options = { ...reportWith().options, packages: 100 };
    return devText(reportWith({ runs, options, target: targetOn('ext4') }), PLAIN_SCREEN).replaceAll(
      /\s+/g,
      ' ',
    );
  };

  test('that differ by a factor of two or more have their range and the reason', () => {
    const text = renderRuns([0.16, 2.6, 0.3]);
    expect(text).toContain(
      'The runs differ: npm ci took 1.6 s to 26 s. Do not rely on the means. ext4 can create files several times more slowly',
    );
    expect(renderRuns([0.16, 0.2])).not.toContain('ext4');
  });

  test('are recommended after a single run', () => {
    expect(renderRuns([0.16])).toContain(
      'This is one run, and ext4 can create files several times more slowly',
    );
  });
});

test('a workload that the time limit stopped says how many files it processed', () => {
  const text = render([stepWith('install', 10, { operations: 1230 })]);
  expect(text).toContain('The time limit of 10 s stopped npm ci after 1,230 files.');
});

test('a title in a report cannot control the terminal', () => {
  const hostile = stepWith('install', 30, { title: 'npm\u001b[31m', operations: 1 });
  expect(render([hostile])).not.toContain('\u001b');
});

describe('the reasons', () => {
  const SLOW = stepWith('restore', 7.3 * FILES * 210e-6);

  test.each([
    ['fuse.bindfs', 'another process serves /mnt/disk (fuse.bindfs)', 'a filesystem of the kernel'],
    ['9p', 'another system on this machine serves /mnt/disk (9p)', 'a disk of this system'],
    ['nfs4', 'another machine serves /mnt/disk (nfs4)', 'a local disk'],
  ])('name who serves a slow %s, and the way out', (filesystem, server, remedy) => {
    const text = render([SLOW], { reference: referenceWith(1), target: targetOn(filesystem) });
    const line = text.replaceAll(/\s+/g, ' ');
    expect(line).toContain(
      `Each system call of tar x takes 210 µs here and 2 µs in /dev/shm (tmpfs): ${server}.`,
    );
    expect(line).toContain(remedy);
  });

  test('name no call that takes less than 20 µs, or less than three times the reference', () => {
    const fast = stepWith('restore', 7.3 * FILES * 19e-6);
    expect(render([fast], { reference: referenceWith(1) })).not.toContain('Each call');
    const reference = referenceWith(1);
    const steps = (reference?.steps ?? []).map((one) => ({ ...one, microsecondsPerCall: 71 }));
    expect(
      render([SLOW], { reference: { ...referenceWith(1), steps } as Report['reference'] }),
    ).not.toContain('Each call');
  });

  test('say what another disk could save at most, and that npm ci would hardly be faster if that is little', () => {
    const line = render(STEPS, { reference: referenceWith(0.75) }).replaceAll(/\s+/g, ' ');
    expect(line).toContain('could save at most: npm ci 0.5 s, tar x 0.75 s, rm -rf 0.2 s.');
    const device = { ...SHARE, readBytes: 4096 };
    const reading = render([stepWith('status', 0.02, { device })], { reference: referenceWith(0.75) });
    expect(reading).toContain('could save at most: git status 0.05 s.');
    expect(line).toContain('npm ci itself would hardly be faster.');
    expect(render(STEPS, { reference: referenceWith(0.1) })).not.toContain('would hardly');
    expect(render(STEPS, { reference: referenceWith(1) })).toContain('next to nothing');
  });
});
