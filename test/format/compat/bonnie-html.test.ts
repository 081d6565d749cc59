import { beforeEach, describe, expect, test } from 'vitest';
import { bonnieHtml } from '../../../src/format/compat/bonnie-html.js';
import type { RunResult } from '../../../src/report/results.js';
import { GIB } from '../../../src/text/units.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
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

describe('the page, read by a parser,', () => {
  beforeEach(requireTools('python3'));

  /** Prints the texts of every row, with an empty text for each further column of a cell. Fails if the tags do not match. */
  const PARSER = `
import html.parser, json, sys
class Page(html.parser.HTMLParser):
    open, rows = [], []
    def handle_starttag(self, tag, attrs):
        if tag != 'meta': self.open.append(tag)
        if tag == 'tr': self.rows.append([])
        if tag in ('td', 'th'): self.rows[-1] += [''] * int(dict(attrs).get('colspan', 1))
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        if self.open and self.open[-1] in ('td', 'th'): self.rows[-1][-1] += data
page = Page()
page.feed(sys.argv[1])
page.close()
assert page.open == [], page.open
print(json.dumps(page.rows))
`;

  async function parseRows(page: string): Promise<readonly (readonly string[])[]> {
    const { stdout, stderr, exitCode } = await startProcess('python3', ['-c', PARSER, page]).exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    return JSON.parse(stdout);
  }

  test('has rows of the same width, a header above each group of runs with the same settings, and the unchanged label', async () => {
    const nasty = `<b>"A" & 'B'</b></td></tr></table><script>alert(1)</script>`;
    const other = bonnieRun({ label: nasty, synced: true, unlocked: true, seeks: 8192, seekThreads: 5 });
    const rows = await parseRows(bonnieHtml([bonnieRun(), bonnieRun(), other]));
    // The corner of a header spans its first two rows.
    expect(rows.map((row) => row.length)).toEqual([14, 12, 14, 14, 14, 14, 12, 14, 14]);
    expect(rows[5]?.filter(Boolean)).toEqual(['Sequential Output (sync)', 'Sequential Input', 'Rnd Seek']);
    expect(rows[6]?.filter(Boolean)).toEqual([
      'CharUnlk',
      'Block',
      'Rewrite',
      'CharUnlk',
      'Block',
      '08k (05)',
    ]);
    expect(rows[8]?.[0]).toBe(nasty);
  });
});
