import {
  type ComparisonResult,
  check,
  compare,
  comparisonFormats,
  formats,
  GobonnieError,
  type Plan,
  plan,
  type Report,
  type RunEvent,
  run,
  schemas,
} from 'gobonnie';

/** Uses every function of the library. The test compiles it in a project in which only the package is installed. */
export async function measureTwice(dir: string, signal: AbortSignal): Promise<string> {
  const { totalBytes }: Plan = await plan({ dir, size: 0.01 });
  const before: Report = await run({ dir, size: totalBytes / 2 ** 30, phases: ['write', 'read'] });
  const rates: number[] = [];
  const handle = run({ dir, size: '0.01', runs: 3 }, { signal, onEvent: ({ type }: RunEvent) => type });
  for await (const event of handle) if (event.type === 'sample') rates.push(event.bytes / event.seconds);
  const after = await handle;
  if (after.outcome.state === 'failed') throw new Error(`${after.outcome.message}; ${after.outcome.hint}`);
  const failed = check(after, ['write>=20MB/s', 'read.p99<1s']).filter(({ passed }) => !passed);
  const comparison: ComparisonResult = compare(before, formats.report(after), { maxRegressionPercent: 5 });
  const parsed: Report = schemas.report.parse(JSON.parse(formats.report(after)));
  return (
    comparisonFormats.markdown([comparison]) +
    formats.text(parsed) +
    failed.map(({ condition }) => condition).join()
  );
}

/** Returns true if the caller passed invalid arguments. */
export function isUsageError(error: unknown): boolean {
  return error instanceof GobonnieError && error.kind === 'usage';
}

// TypeScript must be able to name the inferred types of these exports.
export const warnings = plan().then((result) => result.warnings);
export const machine = plan().then((result) => result.machine);
export const changes = (report: Report) => compare(report, report).changes;

// @ts-expect-error The declarations reject an option of the wrong type.
export const misuse = () => run({ size: [] });
