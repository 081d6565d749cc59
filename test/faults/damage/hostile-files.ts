import { splitWords } from '../split-words.js';
import type { CorruptFile } from './corrupt-file.js';
import { findSlots, type Json, setSlot } from './json-slots.js';
import type { SampleFile } from './sample-files.js';

/** Machine names that a browser or a spreadsheet may execute. */
const MARKUP = splitWords(
  '<script>alert(1)</script> "><img␣src=x␣onerror=alert(1)> </td></tr></table><h1> <td> <!-- ]]> &lt;b&gt; &#x3c; ' +
    '\'␣onmouseover=\'x =cmd|\'␣/C␣calc\'!A0 +1+1 -2+3 @SUM(A1) =HYPERLINK("http://x") "quoted" " it\'s %s%n',
);
/** Names that a terminal may execute, and names that are not text. */
const CONTROLS = splitWords(
  '\u001b[31mred \u001b]0;title\u0007 \u001bc \u009b2J \u0090q \u202egnp.exe \u2066a\u2069 \u061cx \b\b\b a\u2028b a\u2029b ' +
    'a\u0085b \u007f \ufffe \u{e0041} \u200b __proto__ constructor ../../etc/passwd \\u001b[2J',
);
const LONG = ['A\u0300'.repeat(500), 'x'.repeat(5000), '💾'.repeat(300)];
const HOSTILE = [...MARKUP, ...CONTROLS, ...LONG];
/** Names that only JSON can represent. */
const IN_JSON = [...splitWords('a\nb a,b,c a\r\n1.98,x \n=1+1 \0 \ud800 \t=1+1 ,"'), 'x'.repeat(20_000)];

/** Puts hostile names into whole files. Files of one kind share the names: the same code reads and prints them. */
export function hostileFiles(
  sampleFile: SampleFile,
  _: number,
  all: readonly SampleFile[],
): readonly CorruptFile[] {
  const { name, kind, text } = sampleFile;
  const sameKind = all.filter((other) => other.kind === kind);
  const share = HOSTILE.filter((_hostile, index) => sameKind[index % sameKind.length] === sampleFile);
  const createFile = (field: string, hostile: string, content: string): CorruptFile => ({
    name: `${name}, ${JSON.stringify(hostile.slice(0, 50))} for ${field}`,
    content,
    outcome: 'shown',
  });
  if (kind === 'table' || kind === 'row') {
    const machine = /^(?:TEST5|gum07\.)|access1|fslab3|cc3550|goldhost/m;
    return share.map((hostile) =>
      createFile(
        'the machine',
        hostile,
        text.replace(machine, () => hostile),
      ),
    );
  }
  return [...HOSTILE, ...IN_JSON].map((hostile) => {
    const document: Json = JSON.parse(text);
    // The schema restricts the other strings to certain words or times.
    const freeText =
      /\/(?:version|label|title|os|arch|cpuModel|directory|scratchDirectory|filesystem|mount|message|hint)$/;
    for (const [pattern, slots] of findSlots(document))
      if (freeText.test(pattern)) for (const slot of slots) setSlot(slot, hostile);
    return createFile('every name', hostile, `${JSON.stringify(document)}\n`);
  });
}
