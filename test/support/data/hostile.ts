import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from './fixtures.js';
import type { SeededRandom } from './seeded-random.js';

/** Text that a program may execute, and characters that are not text. */
const PARTS = [
  ...'| \\ " \' ` , ; { } %s $(x) $x$ ( ) *a* _b_ ~~c~~ plain ä 💾 A\u0300 / .. \\n \\u001b'.split(' '),
  ...'<script>alert(1)</script> <b> ]]> <!-- --> & &amp; &#60; <?x?> %0A::error:: __proto__'.split(' '),
  ...'[d](http://e) ![f](g) https://h.example :smile: @me #1 =1+1 +1 -1 constructor'.split(' '),
  ...'\n \r\n \r \t \0 \u001b[31m \u001b]0;t\u0007 \u009b2J \b \u007f \u0085'.split(' '),
  ...'\u202e \u2066 \u061c \u200b \ufeff \u2028 \u2029 \ufffe \uffff \ud800 \udc00'.split(' '),
  ...['| --- |', '1. ', '# ', '> ', '- ', ' ', '  '],
];

/** Returns a name that a user may choose. */
export function hostileName(random: SeededRandom): string {
  return Array.from({ length: 1 + random.upTo(6) }, () => random.oneOf(PARTS)).join('');
}

/** Returns a report in which every name that users choose is hostile. */
export function hostileReport(random: SeededRandom): Report {
  const name = () => hostileName(random);
  const report = reportWith();
  const phases = [name(), `${name()}2`];
  const runs = [1, 2].map(() =>
    runWith({ measurements: phases.map((step) => measurementWith({ step, title: name() })) }),
  );
  return {
    ...report,
    version: name(),
    label: name(),
    options: { ...report.options, phases },
    machine: { ...report.machine, os: name(), cpuModel: name() },
    target: { ...report.target, directory: name(), filesystem: name(), device: name() },
    runs,
    warnings: [{ code: 'cliff', step: phases[0] ?? null, message: name(), hint: name() }],
    expectations: [
      { condition: name(), unit: 'bytesPerSecond', bound: 1, actual: 2, passed: true },
      { condition: name(), unit: 'nanoseconds', bound: 1, actual: null, passed: false },
    ],
    outcome: random.chance(0.5)
      ? { state: 'completed' }
      : { state: 'failed', code: name(), message: name(), hint: name() },
  };
}

/** Returns a text after encoding and decoding as UTF-8. */
export function roundTripUtf8(text: string): string {
  return Buffer.from(text).toString();
}
