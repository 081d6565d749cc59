import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { useWine } from '../../support/platforms/wine.js';
import { readReportFile } from '../../support/programs/read-report-file.js';
import { ROOT } from '../../support/root.js';

const SMALL = ['--size', '2M', '--threads', '1', '--iops-duration', '0.05', '--quiet'];
const SCANNER = `Z:${path.join(ROOT, 'test/support/platforms/scanner.cjs')}`;

const wine = useWine();
const { c } = wine;

/** Starts a program that opens a matching file, and closes it when a matching draft shows that a replacement failed. */
function startScanner(directory: string, file: RegExp, draft: RegExp) {
  const { exitResult } = wine.startNode(SCANNER, [directory, file.source, draft.source]);
  return {
    exitResult,
    untilOpen: () => vi.waitUntil(() => existsSync(path.join(c, 'held')), { timeout: 60_000, interval: 5 }),
  };
}

const SUCCESS = { stderr: '', exitCode: 0 };

/** On Windows, a file cannot be replaced while another program has it open. */
describe('after another program closes the file, gobonnie replaces or removes', () => {
  test('an earlier report', async () => {
    writeFileSync(path.join(c, 'out/a.json'), '');
    const scanner = startScanner('C:\\out', /\\a\.json$/, /\\\.a\.json\.gobonnie-/);
    await scanner.untilOpen();
    expect(await wine.start([...SMALL, '--out', 'C:\\out\\a.json']).exitResult).toMatchObject(SUCCESS);
    expect(await scanner.exitResult).toMatchObject(SUCCESS);
    expect(readReportFile(path.join(c, 'out/a.json'))).toMatchObject({ outcome: { state: 'completed' } });
    expect(wine.listFiles('out')).toEqual(['a.json']);
  });

  test('the files of a rendezvous', async () => {
    const job = '--rendezvous C:\\rendezvous --ranks 2 --dir C:\\data'.split(' ');
    const start = (rank: number) => wine.start([...job, '--rank', String(rank), ...SMALL]);
    mkdirSync(path.join(c, 'rendezvous'));
    const scanner = startScanner('C:\\rendezvous', /\\rank\.0\\owner$/, /\.removed\\rank\.0\\owner$/);
    const first = start(0);
    await scanner.untilOpen();
    for (const { exitResult } of [start(1), first]) expect(await exitResult).toMatchObject(SUCCESS);
    expect(await scanner.exitResult).toMatchObject(SUCCESS);
    expect([...wine.listFiles('rendezvous'), ...wine.listFiles('data')]).toEqual([]);
  });
});
