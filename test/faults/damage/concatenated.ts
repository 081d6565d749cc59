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

/** Returns files without results, with several results after or inside each other, and in other encodings. */
export function concatenatedFiles(sampleFiles: readonly SampleFile[]): readonly CorruptFile[] {
  const getText = (sampleName: string) => sampleFiles.find(({ name }) => name === sampleName)?.text ?? '';
  const report = getText('report');
  const document = getText("gobonniego's document");
  const row = getText('CSV of 1.03');
  const otherRow = getText('CSV of 1.98');
  const table = getText("Bray's table");
  const pretty = JSON.stringify(JSON.parse(report), null, 2);
  const forEachSample = (
    change: string,
    make: (text: string) => string | Buffer,
    outcome: CorruptFile['outcome'] = 'rejected',
  ) =>
    sampleFiles.map(
      ({ name, text }): CorruptFile => ({ name: `${name} ${change}`, content: make(text), outcome }),
    );
  const createFile = (
    name: string,
    content: string,
    outcome: CorruptFile['outcome'] = 'rejected',
  ): CorruptFile => ({
    name,
    content,
    outcome,
  });
  return [
    ...NO_RESULTS.map((text) => createFile(JSON.stringify(text.slice(0, 60)), text)),
    createFile('a report and a row', report + row),
    createFile('a report and a half', report + report.slice(0, 500)),
    createFile('half a report and a whole one', report.slice(0, 500) + report),
    createFile('two reports on one line', report.trim() + report),
    createFile('two reports over many lines', `${pretty}\n${pretty}\n`),
    createFile('a list of reports', `[${report.trim()}]`, 'shown'),
    createFile('a report as a string', JSON.stringify(report)),
    createFile('a report in a report', report.replace(/}\s*$/, `,"runs":${report.trim()}}`)),
    createFile(
      "a document with a report's schema",
      JSON.stringify({ ...JSON.parse(document), schema: 'gobonnie/1' }),
    ),
    createFile('a report followed by text', `${report.trim()} and so on\n`),
    createFile('two rows on one line', row.trim() + otherRow),
    createFile('a row and a truncated row', row + otherRow.slice(0, 60)),
    createFile('a row and a row with twice its columns', `${row}${row.trim()},${row}`),
    createFile('a table and a truncated row', `${table}x 1 2.0 3 4.0 5 6.0\n`),
    createFile('reports of both kinds', report + document + report, 'shown'),
    createFile('a report over many lines', pretty, 'shown'),
    createFile('rows of every kind', row + table + otherRow, 'shown'),
    createFile('a row among prose', `As we saw:\n\n> ${row}\nand that was\u001b[2J all.\n`, 'shown'),
    ...forEachSample('with a byte order mark', (text) => `\ufeff${text}`, 'shown'),
    ...forEachSample('with Windows line ends', (text) => text.replaceAll('\n', '\r\n'), 'shown'),
    ...forEachSample('in UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'shown'),
    ...forEachSample('in gzip', (text) => gzipSync(text)),
    ...forEachSample('deflated, after a bracket', (text) =>
      Buffer.concat([Buffer.from('{'), deflateSync(text)]),
    ),
    ...forEachSample('in base64', (text) => Buffer.from(text).toString('base64')),
    ...forEachSample('reversed', (text) => [...text].reverse().join('')),
    ...forEachSample('in hexadecimal', (text) => Buffer.from(text).toString('hex')),
  ];
}
