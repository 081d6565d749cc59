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

/** Uses all of the library. It is compiled in a project in which only the package is installed. */
export async function measureTwice(dir: string, signal: AbortSignal): Promise<string> {
  const planned: Plan = await plan({ dir, size: 0.01 });
  const before: Report = await run({ dir, size: planned.totalBytes / 2 ** 30, phases: ['write', 'read'] });
  const rates: number[] = [];
  const running = run({ dir, size: '0.01', runs: 3 }, { signal, onEvent: ({ type }: RunEvent) => type });
  for await (const event of running) if (event.type === 'sample') rates.push(event.bytes / event.seconds);
  const after = await running;
  if (after.outcome.state === 'failed') throw new Error(`${after.outcome.message}; ${after.outcome.hint}`);
  const missed = check(after, ['write>=20MB/s', 'read.p99<1s']).filter(({ passed }) => !passed);
  const compared: ComparisonResult = compare(before, formats.report(after), { maxRegressionPercent: 5 });
  const known: Report = schemas.report.parse(JSON.parse(formats.report(after)));
  return (
    comparisonFormats.markdown([compared]) +
    formats.text(known) +
    missed.map(({ condition }) => condition).join()
  );
}

/** Whether the caller made the mistake. */
export function isMistake(error: unknown): boolean {
  return error instanceof GobonnieError && error.kind === 'usage';
}

// Inferred types can be named in the declarations of these exports.
export const warnings = plan().then((planned) => planned.warnings);
export const machine = plan().then((planned) => planned.machine);
export const changes = (one: Report) => compare(one, one).changes;
