import type { FormatName } from '../../../src/format/index.js';
import { hasControlCharacters } from '../output-violations.js';

const CSV_FIELDS = 50;
/** Those with names that users choose: the version, the machine and the seed. */
const NAMED_FIELDS = [1, 2, 4];
/** Text that a spreadsheet would calculate. */
const FORMULA = /^[=+\-@\t]/;
const CELLS = 14;
const CELL = `<td>(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)*</td>`;
const HTML_LINE = new RegExp(
  `^(?:<tr>(?:${CELL}){${CELLS}}</tr>|<tr>(?:<td colspan="2" rowspan="2"></td>)?(?:<th(?: colspan="\\d")?>[\\w ()/%]+</th>)+</tr>)$`,
);

const CHART_ELEMENTS = new Set(
  (
    '!DOCTYPE html head meta title body main section h1 h2 h3 p ul li div details summary table thead tbody tr th td ' +
    'svg desc text line polyline polygon rect circle'
  ).split(' '),
);

/** What is wrong with the output for whole results. */
export function renderingViolations(format: FormatName, stdout: string, content: string): readonly string[] {
  const violations = [
    stdout.endsWith('\n') ? [] : ['no line ends it'],
    // RFC 4180 ends lines with CRLF.
    hasControlCharacters(format.startsWith('csv') ? stdout.replaceAll('\r\n', '\n') : stdout)
      ? ['it steers the terminal']
      : [],
    formatViolations(format, stdout, content),
  ].flat();
  return violations.map(
    (violation) => `--format ${format}: ${violation}: ${JSON.stringify(stdout.slice(0, 300))}`,
  );
}

function formatViolations(format: FormatName, stdout: string, content: string): readonly string[] {
  const lines = stdout.trimEnd().split('\n');
  switch (format) {
    case 'report':
      return canonicalJson(stdout) === canonicalJson(content) ? [] : ['it is not what was read'];
    case 'json':
      return lines.flatMap(documentViolations);
    case 'bencher':
    case 'github-throughput':
    case 'github-latency':
    case 'ndjson':
      return lines.flatMap(jsonViolations);
    case 'csv':
    case 'csv-series':
      return tableViolations(stdout);
    case 'junit':
      return xmlViolations(stdout);
    case 'prometheus':
      return lines.flatMap(expositionViolations);
    case 'bonnie++-csv':
      return lines.flatMap(rowViolations);
    case 'bonnie-html':
      return pageViolations(stdout);
    case 'html':
      return chartViolations(stdout);
    default:
      return /\b(?:NaN|Infinity|undefined|null|object Object)\b/.test(stdout) ? ['it is nonsense'] : [];
  }
}

/** JSON has null for NaN and infinity. */
function jsonViolations(line: string): readonly string[] {
  return /"(?:value|lower_value|upper_value)":null/.test(JSON.stringify(JSON.parse(line)))
    ? ['a figure is none']
    : [];
}

/** Every row has as many fields as the header, and no field is a formula. */
function tableViolations(stdout: string): readonly string[] {
  const rows = stdout
    .slice(0, -'\r\n'.length)
    .split('\r\n')
    .map((line) => [...`,${line}`.matchAll(/,("(?:[^"]|"")*"|[^",]*)/g)].map(([, field = '']) => field));
  const width = rows[0]?.length;
  return [
    ...rows.filter((row) => row.length !== width).map((row) => `${row.length} fields`),
    ...(rows.flat().some((field) => FORMULA.test(field.replace(/^"/, ''))) ? ['a formula'] : []),
    ...(/\b(?:NaN|Infinity|undefined|null|object Object)\b/.test(stdout) ? ['it is nonsense'] : []),
  ];
}

const ATTRIBUTES = `(?: \\w+="[^<>&"']*(?:&(?:amp|lt|gt|quot|#39);[^<>&"']*)*")*`;
const XML_LINE = new RegExp(
  `^(?:<\\?xml version="1\\.0" encoding="UTF-8"\\?>| *<[\\w-]+${ATTRIBUTES}(?:/?>|>.*</[\\w-]+>)| *</[\\w-]+>)$`,
);

/** Every line is an element, apart from text. */
function xmlViolations(stdout: string): readonly string[] {
  const withoutText = stdout.replace(
    /<(system-out|system-err|error|failure|skipped)([^<>]*)>[^<>]*<\/\1>/g,
    '<$1$2/>',
  );
  return withoutText
    .trimEnd()
    .split('\n')
    .filter((line) => !XML_LINE.test(line))
    .map((line) => `a strange line: ${JSON.stringify(line)}`);
}

const EXPOSITION_LINE =
  /^(?:# (?:HELP|TYPE) gobonnie_\w+ .+|gobonnie_\w+\{(?:\w+="(?:[^"\\]|\\[\\"n])*",?)*\} (?:\d\S*|\+Inf))$/u;

function expositionViolations(line: string): readonly string[] {
  return EXPOSITION_LINE.test(line) ? [] : [`a strange line: ${JSON.stringify(line)}`];
}

/** The same text for the same JSON, however it was escaped: one document, a list, or one on each line. */
function canonicalJson(text: string): string {
  const json = text.replace(/^\ufeff/, '');
  try {
    const document: unknown = JSON.parse(json);
    return Array.isArray(document)
      ? document.map(replaceLoneSurrogates).join()
      : replaceLoneSurrogates(document);
  } catch {
    return json
      .trimEnd()
      .split('\n')
      .map((line) => replaceLoneSurrogates(JSON.parse(line)))
      .join();
  }
}

/** Half a surrogate pair becomes U+FFFD in UTF-8. */
function replaceLoneSurrogates(document: unknown): string {
  return JSON.stringify(document).replace(/\\(?:u(d[89a-f]..)|.)/g, (sequence, half?: string) =>
    half === undefined ? sequence : '\ufffd',
  );
}

function documentViolations(line: string): readonly string[] {
  const { results } = JSON.parse(line) as { readonly results: readonly Record<string, unknown>[] };
  const isPresent = (value: unknown) => typeof value === 'string' || Number.isFinite(value);
  return results.every((result) => Object.values(result).every(isPresent)) ? [] : ['a result is none'];
}

function rowViolations(line: string): readonly string[] {
  const fields = line.split(',');
  return [
    ...(fields.length === CSV_FIELDS ? [] : [`${fields.length} fields`]),
    ...(line.includes('"') ? ['quotes'] : []),
    ...(NAMED_FIELDS.some((at) => FORMULA.test(fields[at] ?? '')) ? ['a formula'] : []),
    ...(/\b(?:NaN|Infinity|undefined|null|object Object)\b/.test(line) ? ['it is nonsense'] : []),
  ];
}

/** Nothing but its own elements, and no figure that is none outside the reports as JSON. */
function chartViolations(stdout: string): readonly string[] {
  const isPage = stdout.startsWith('<!DOCTYPE html>\n') && stdout.endsWith('</script>\n</body>\n</html>\n');
  const marks = stdout.replace(/<(style|script|pre)>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/g, '');
  const strange = [...marks.matchAll(/<\/?([a-zA-Z!]\w*)/g)].filter(
    ([, name = '']) => !CHART_ELEMENTS.has(name),
  );
  return [
    ...(isPage ? [] : ['it is no page']),
    ...strange.map(([start]) => `a strange element: ${start}`),
    ...(/\b(?:NaN|Infinity|undefined|null|object Object)\b/.test(marks) ? ['it is nonsense'] : []),
  ];
}

function pageViolations(stdout: string): readonly string[] {
  const [head = '', table = '', ...more] = stdout.split(/<\/?table>\n/);
  const isPage = head.startsWith('<!DOCTYPE html>\n') && more.join() === '</body>\n</html>\n';
  const strange = table
    .trimEnd()
    .split('\n')
    .filter((line) => !HTML_LINE.test(line));
  return [
    ...(isPage ? [] : ['it is no page']),
    ...strange.map((line) => `a strange line: ${JSON.stringify(line)}`),
    ...(/>(?:NaN|Infinity|undefined|null)</.test(table) ? ['it is nonsense'] : []),
  ];
}
