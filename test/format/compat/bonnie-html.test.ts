import { expect, test } from 'vitest';
import { bonnieHtml } from '../../../src/format/compat/bonnie-html.js';
import type { RunResult } from '../../../src/report/results.js';
import { GIB } from '../../../src/text/units.js';
import { bonnieRun, valuesByPhase } from './bonnie-runs.js';

const GUM07 =
  '<tr><td>gum07.garloff.de</td><td>400</td><td>8701</td><td>93.2</td><td>26069</td><td>14.6</td>' +
  '<td>10337</td><td>12.2</td><td>7950</td><td>81.5</td><td>23695</td><td>11.2</td><td>122.1</td><td>1.5</td></tr>\n';

/** Returns the row of a page of one run. */
function bonnieHtmlRow(run: RunResult): string | undefined {
  return /^<tr><td>.*\n/m.exec(bonnieHtml([run]))?.[0];
}

test('the page is a table under a header', () => {
  expect(bonnieHtml([bonnieRun()])).toBe(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Bonnie</title>
<style>
table { border-collapse: collapse }
th, td { border: 1px solid; padding: 0.1em 0.5em }
td + td { text-align: right }
</style>
</head>
<body>
<table>
<tr><td colspan="2" rowspan="2"></td><th colspan="6">Sequential Output (nosync)</th><th colspan="4">Sequential Input</th><th colspan="2">Rnd Seek</th></tr>
<tr><th colspan="2">Per Char</th><th colspan="2">Block</th><th colspan="2">Rewrite</th><th colspan="2">Per Char</th><th colspan="2">Block</th><th colspan="2">04k (03)</th></tr>
<tr><th>Machine</th><th>MB</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>/sec</th><th>%CPU</th></tr>
${GUM07}</table>
</body>
</html>
`);
});

test('a missing result is an empty cell, and a result that took too little time is plus signs', () => {
  const values = valuesByPhase(null, [26069, 14.6], [10337, null], [null, null], null, [122.1, 1.5]);
  expect(bonnieHtmlRow(bonnieRun({ label: '', sizeBytes: null, values }))).toBe(
    '<tr><td></td><td></td><td></td><td></td><td>26069</td><td>14.6</td><td>10337</td><td></td>' +
      '<td>+++++</td><td>++++</td><td></td><td></td><td>122.1</td><td>1.5</td></tr>\n',
  );
});

test('the size of several volumes is their number and the megabytes per volume', () => {
  expect(bonnieHtmlRow(bonnieRun({ sizeBytes: 3 * GIB, dataFiles: 3 }))).toContain('<td>3*1024</td>');
});

test('a run with other settings has a header of its own, and a label is text', () => {
  const label = `<b>"A" & 'B'</b></td>`;
  const page = bonnieHtml([bonnieRun(), bonnieRun(), bonnieRun({ label, synced: true, unlocked: true })]);
  expect(page.match(/<th>Machine/g)).toHaveLength(2);
  expect(page).toContain('>Sequential Output (sync)<');
  expect(page.match(/>CharUnlk</g)).toHaveLength(2);
  expect(page).toContain('<td>&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;&lt;/td&gt;</td>');
});
