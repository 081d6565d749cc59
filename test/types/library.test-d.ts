import {
  type Comparison,
  type ComparisonResult,
  check,
  compare,
  comparisonFormats,
  type EventRecord,
  type ExpectationResult,
  type FormatName,
  formats,
  GobonnieError,
  type Measurement,
  type Options,
  type OptionsInput,
  type Outcome,
  type Plan,
  plan,
  type Report,
  type RunEvent,
  type RunHandle,
  type RunHooks,
  run,
  schemas,
} from 'gobonnie';
import { describe, expectTypeOf, test } from 'vitest';

declare const report: Report;

describe('run', () => {
  test('returns a promise of a report that is also an iterable of events', () => {
    expectTypeOf<Parameters<typeof run>>().toEqualTypeOf<
      [options?: OptionsInput | undefined, hooks?: RunHooks | undefined]
    >();
    expectTypeOf(run).returns.toEqualTypeOf<RunHandle>();
    expectTypeOf<RunHandle>().toExtend<Promise<Report>>();
    expectTypeOf<RunHandle>().toExtend<AsyncIterable<RunEvent>>();
    expectTypeOf<Awaited<RunHandle>>().toEqualTypeOf<Report>();
    expectTypeOf<RunHandle>().not.toBeAny();
  });

  test('accepts only the types of each option and hook', () => {
    run();
    run({ dir: '/tmp', size: 0.5, blockSize: '64k', phases: ['write'], cache: 'keep', label: undefined });
    // @ts-expect-error there is no such option
    run({ sise: 1 });
    // @ts-expect-error a list is not a size
    run({ size: [1] });
    // @ts-expect-error there is no such mode
    run({ cache: 'never' });
    // @ts-expect-error a switch is on or off
    run({ direct: 'yes' });
    // @ts-expect-error the signal is a hook
    run({ signal: AbortSignal.timeout(1) });
    // @ts-expect-error there is no such hook
    run({}, { onProgress: () => {} });
    // @ts-expect-error a listener receives an event, not a string
    run({}, { onEvent: (event: string) => event });
  });

  test('infers the parameter types of hooks', () => {
    run({}, { onEvent: (event) => expectTypeOf(event).toEqualTypeOf<RunEvent>() });
    const beforeStep: RunHooks['beforeStep'] = async (phase, number, signal) => {
      expectTypeOf(phase).toBeString();
      expectTypeOf(number).toBeNumber();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    };
    run({}, { signal: AbortSignal.timeout(1), beforeStep });
  });
});

test('the type of an event narrows it', () => {
  expectTypeOf<RunEvent['type']>().toEqualTypeOf<
    | 'start'
    | 'run-start'
    | 'step-start'
    | 'sample'
    | 'activity'
    | 'step-end'
    | 'run-end'
    | 'stall'
    | 'warning'
    | 'end'
  >();
  const listen = (event: RunEvent) => {
    switch (event.type) {
      case 'start':
        return expectTypeOf(event.report).toEqualTypeOf<Report>();
      case 'sample':
        return expectTypeOf(event.bytes).toBeNumber();
      case 'step-end':
        return expectTypeOf(event.measurement).toEqualTypeOf<Measurement>();
      case 'end':
        return expectTypeOf(event.report).toEqualTypeOf<Report>();
      default:
        // @ts-expect-error other events have no report
        return event.report;
    }
  };
  expectTypeOf(listen).parameter(0).toEqualTypeOf<RunEvent>();
});

test('every part of a report has a type', () => {
  expectTypeOf(report.outcome).toEqualTypeOf<Outcome>();
  expectTypeOf(report.runs[0]?.measurements[0]).toEqualTypeOf<Measurement | undefined>();
  if (report.outcome.state === 'failed') expectTypeOf(report.outcome.hint).toBeString();
  // @ts-expect-error only a failure has a hint
  report.outcome.hint;
  // @ts-expect-error latency may be unknown
  report.runs.map(({ measurements }) => measurements.map(({ latencyNs }) => latencyNs.p99));
});

test('plan resolves to a plan', () => {
  expectTypeOf<Parameters<typeof plan>>().toEqualTypeOf<[options?: OptionsInput | undefined]>();
  expectTypeOf(plan).returns.resolves.toEqualTypeOf<Plan>();
  expectTypeOf<Plan['options']>().toEqualTypeOf<Options>();
});

test('compare accepts reports, documents and strings', () => {
  expectTypeOf(compare(report, 'text')).toEqualTypeOf<ComparisonResult>();
  expectTypeOf<ComparisonResult>().toExtend<Comparison>();
  expectTypeOf<ComparisonResult['verdict']>().toEqualTypeOf<
    'pass' | 'regression' | 'inconclusive' | 'cached' | 'incomparable'
  >();
  compare([report, '{}'], { results: [] }, { maxRegressionPercent: 5, force: true, names: ['a', 'b'] });
  // @ts-expect-error a number is not a result
  compare(report, 7);
  // @ts-expect-error the second result is missing
  compare(report);
  // @ts-expect-error a percentage is a number
  compare(report, report, { maxRegressionPercent: '5%' });
});

test('check returns a result for each condition', () => {
  expectTypeOf(check(report, ['write>=1GB/s'])).toEqualTypeOf<ExpectationResult[]>();
  expectTypeOf(check(report, 'write>=1GB/s')).toEqualTypeOf<ExpectationResult[]>();
  // @ts-expect-error a condition is a string
  check(report, [200]);
  // @ts-expect-error a plan has no results
  check(plan(), ['write>=1GB/s']);
});

test('formats are typed by their names', () => {
  expectTypeOf<keyof typeof formats>().toEqualTypeOf<FormatName>();
  expectTypeOf<FormatName>().not.toEqualTypeOf<string>();
  expectTypeOf(formats.text).toEqualTypeOf<(report: Report) => string>();
  expectTypeOf(comparisonFormats.markdown([compare(report, report)])).toBeString();
  // @ts-expect-error there is no such format
  formats.pdf;
});

test('schemas parse to the types that the functions accept and return', () => {
  expectTypeOf(schemas.report.parse({})).toEqualTypeOf<Report>();
  expectTypeOf(schemas.options.parse({})).toEqualTypeOf<Options>();
  expectTypeOf(schemas.event.parse({})).toEqualTypeOf<EventRecord>();
});

test('an error has a kind and a code', () => {
  expectTypeOf<GobonnieError>().toExtend<Error>();
  expectTypeOf<GobonnieError['kind']>().toEqualTypeOf<'usage' | 'failure'>();
  expectTypeOf<GobonnieError['code']>().not.toEqualTypeOf<string>();
  expectTypeOf(GobonnieError).toBeConstructibleWith('option-invalid', 'message', 'hint');
});
