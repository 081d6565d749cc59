import { deflateSync, gzipSync } from 'node:zlib';
import { splitWords } from '../split-words.js';
import type { CorruptFile } from './corrupt-file.js';
import type { SampleFile } from './sample-files.js';

const NO_RESULTS = [
  ...splitWords(
    '␣ \n\n \ufeff \0 { } {} [] [{}] null true 0 "" NaN # 1.98 1.98, a,1G {"results":[]} {"results":{}} {"results":[{}]}',
  ),
  ...splitWords(
    '{"schema":1} {"schema":"gobonnie/2"} {"schema":{"a":[{}]}} {"schema":"gobonnie/1","__proto__":{}} \u001b[2J',
  ),
  ...splitWords(
    '{"__proto__":{"schema":"gobonnie/1"}} {"fio␣version":"fio-3.33"} \u007fELF\u0002\u0001 %PDF-1.4 #!/bin/sh\nreboot\n',
  ),
  ...splitWords(
    '<!DOCTYPE␣html>\n<p>1.98,2.00a</p> It␣was␣fast:␣1,␣2,␣3.\n format_version,bonnie_version,name,concurrency,seed\n',
  ),
  ...['', ','.repeat(26), '+'.repeat(5000), '> '.repeat(9000)],
];

/** No results, several results after or inside each other, and other encodings. */
export function concatenatedFiles(sampleFiles: readonly SampleFile[]): readonly CorruptFile[] {
  const textOf = (sought: string) => sampleFiles.find(({ name }) => name === sought)?.text ?? '';
  const [report, document] = [textOf('report'), textOf("gobonniego's document")];
  const [row, other, table] = [textOf('CSV of 1.03'), textOf('CSV of 1.98'), textOf("Bray's table")];
  const pretty = JSON.stringify(JSON.parse(report), null, 2);
  const each = (
    what: string,
    make: (text: string) => string | Buffer,
    verdict: CorruptFile['verdict'] = 'refused',
  ) =>
    sampleFiles.map(
      ({ name, text }): CorruptFile => ({ name: `${name} ${what}`, content: make(text), verdict }),
    );
  const one = (name: string, content: string, verdict: CorruptFile['verdict'] = 'refused'): CorruptFile => ({
    name,
    content,
    verdict,
  });
  return [
    ...NO_RESULTS.map((text) => one(JSON.stringify(text.slice(0, 60)), text)),
    one('a report and a row', report + row),
    one('a report and a half', report + report.slice(0, 500)),
    one('half a report and a whole one', report.slice(0, 500) + report),
    one('two reports on one line', report.trim() + report),
    one('two reports over many lines', `${pretty}\n${pretty}\n`),
    one('a list of reports', `[${report.trim()}]`, 'shown'),
    one('a report as a string', JSON.stringify(report)),
    one('a report in a report', report.replace(/}\s*$/, `,"runs":${report.trim()}}`)),
    one("a document in a report's place", JSON.stringify({ ...JSON.parse(document), schema: 'gobonnie/1' })),
    one('a report with a word behind it', `${report.trim()} and so on\n`),
    one('two rows on one line', row.trim() + other),
    one('a row and a cut one', row + other.slice(0, 60)),
    one('a row and its columns once more', `${row}${row.trim()},${row}`),
    one('a table and a cut row', `${table}x 1 2.0 3 4.0 5 6.0\n`),
    one('reports of both kinds', report + document + report, 'shown'),
    one('a report over many lines', pretty, 'shown'),
    one('rows of every kind', row + table + other, 'shown'),
    one('a row among prose', `As we saw:\n\n> ${row}\nand that was\u001b[2J all.\n`, 'shown'),
    ...each('with a byte order mark', (text) => `\ufeff${text}`, 'shown'),
    ...each('with the line ends of Windows', (text) => text.replaceAll('\n', '\r\n'), 'shown'),
    ...each('in UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'shown'),
    ...each('in gzip', (text) => gzipSync(text)),
    ...each('deflated, behind a bracket', (text) => Buffer.concat([Buffer.from('{'), deflateSync(text)])),
    ...each('in base64', (text) => Buffer.from(text).toString('base64')),
    ...each('turned around', (text) => [...text].reverse().join('')),
    ...each('in hexadecimal', (text) => Buffer.from(text).toString('hex')),
  ];
}
