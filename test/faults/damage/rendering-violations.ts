import type { FormatName } from '../../../src/format/index.js';
import { hasControlCharacters } from '../output-violations.js';

const CSV_FIELDS = 50;
/** Fields with text that users choose: the version, the machine and the seed. */
const NAMED_FIELDS = [1, 2, 4];
/** Matches text that a spreadsheet would calculate. */
const FORMULA = /^[=+\-@\t]/;
const CELLS = 14;
const CELL = `<td>(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)*</td>`;
const HTML_LINE = new RegExp(
  `^(?:<tr>(?:${CELL}){${CELLS}}</tr>|<tr>(?:<td colspan="2" rowspan="2"></td>)?(?:<th(?: colspan="\\d")?>[\\w ()/%]+</th>)+</tr>)$`,
);

const CHART_ELEMENTS = new Set(
  (
    '!DOCTYPE html head meta title body main section h1 h2 h3 p ul li div details summary table thead tbody tr th td ' +
    'svg g desc text line polyline polygon rect circle'
  ).split(' '),
);

/** Returns the problems of the output for whole results. */
export function renderingViolations(format: FormatName, stdout: string, content: string): readonly string[] {
  const violations: string[] = [];
  if (!stdout.endsWith('\n')) violations.push('the last line has no end');
  // RFC 4180 ends lines with CRLF.
  const text = format.startsWith('csv') ? stdout.replaceAll('\r\n', '\n') : stdout;
  if (hasControlCharacters(text)) violations.push('it has control characters');
  violations.push(...formatViolations(format, stdout, content));
  return violations.map(
    (violation) => `--format ${format}: ${violation}: ${JSON.stringify(stdout.slice(0, 300))}`,
  );
}

function valueViolations(text: string): readonly string[] {
  return /\b(?:NaN|Infinity|undefined|null|object Object)\b/.test(text)
    ? ['it has NaN, null or the like']
    : [];
}

function formatViolations(format: FormatName, stdout: string, content: string): readonly string[] {
  const lines = stdout.trimEnd().split('\n');
  switch (format) {
    case 'report':
      return canonicalJson(stdout) === canonicalJson(content) ? [] : ['it differs from the file'];
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
      return valueViolations(stdout);
  }
}

/** Finds null, which JSON has for NaN and infinity. */
function jsonViolations(line: string): readonly string[] {
  return /"(?:value|lower_value|upper_value)":null/.test(JSON.stringify(JSON.parse(line)))
    ? ['a number is null']
    : [];
}

/** Every row must have as many fields as the header, and no field may be a formula. */
function tableViolations(stdout: string): readonly string[] {
  const rows = stdout
    .slice(0, -'\r\n'.length)
    .split('\r\n')
    .map((line) => [...`,${line}`.matchAll(/,("(?:[^"]|"")*"|[^",]*)/g)].map(([, field = '']) => field));
  const width = rows[0]?.length;
  const violations = rows.filter((row) => row.length !== width).map((row) => `${row.length} fields`);
  if (rows.flat().some((field) => FORMULA.test(field.replace(/^"/, '')))) violations.push('a formula');
  return [...violations, ...valueViolations(stdout)];
}

const ATTRIBUTES = `(?: \\w+="[^<>&"']*(?:&(?:amp|lt|gt|quot|#39);[^<>&"']*)*")*`;
const XML_LINE = new RegExp(
  `^(?:<\\?xml version="1\\.0" encoding="UTF-8"\\?>| *<[\\w-]+${ATTRIBUTES}(?:/?>|>.*</[\\w-]+>)| *</[\\w-]+>)$`,
);

/** Every line must be an element, apart from text. */
function xmlViolations(stdout: string): readonly string[] {
  const withoutText = stdout.replace(
    /<(system-out|system-err|error|failure|skipped)([^<>]*)>[^<>]*<\/\1>/g,
    '<$1$2/>',
  );
  return withoutText
    .trimEnd()
    .split('\n')
    .filter((line) => !XML_LINE.test(line))
    .map((line) => `unexpected line: ${JSON.stringify(line)}`);
}

const EXPOSITION_LINE =
  /^(?:# (?:HELP|TYPE) gobonnie_\w+ .+|gobonnie_\w+\{(?:\w+="(?:[^"\\]|\\[\\"n])*",?)*\} (?:\d\S*|\+Inf))$/u;

function expositionViolations(line: string): readonly string[] {
  return EXPOSITION_LINE.test(line) ? [] : [`unexpected line: ${JSON.stringify(line)}`];
}

/** Returns the same text for the same JSON, however it is escaped: one document, a list, or a document per line. */
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

/** Replaces half a surrogate pair with U+FFFD, as UTF-8 does. */
function replaceLoneSurrogates(document: unknown): string {
  return JSON.stringify(document).replace(/\\(?:u(d[89a-f]..)|.)/g, (sequence, half?: string) =>
    half === undefined ? sequence : '\ufffd',
  );
}

function documentViolations(line: string): readonly string[] {
  const { results } = JSON.parse(line) as { readonly results: readonly Record<string, unknown>[] };
  const isPresent = (value: unknown) => typeof value === 'string' || Number.isFinite(value);
  return results.every((result) => Object.values(result).every(isPresent)) ? [] : ['a result has no value'];
}

function rowViolations(line: string): readonly string[] {
  const fields = line.split(',');
  const violations = [...valueViolations(line)];
  if (fields.length !== CSV_FIELDS) violations.push(`${fields.length} fields`);
  if (line.includes('"')) violations.push('quotes');
  if (NAMED_FIELDS.some((index) => FORMULA.test(fields[index] ?? ''))) violations.push('a formula');
  return violations;
}

/** The page must have only known elements, and no missing values outside its scripts. */
function chartViolations(stdout: string): readonly string[] {
  const isPage = stdout.startsWith('<!DOCTYPE html>\n') && stdout.endsWith('</script>\n</body>\n</html>\n');
  const marks = stdout.replace(/<(style|script|pre)>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/g, '');
  const unexpected = [...marks.matchAll(/<\/?([a-zA-Z!]\w*)/g)].filter(
    ([, name = '']) => !CHART_ELEMENTS.has(name),
  );
  const violations = unexpected.map(([start]) => `unexpected element: ${start}`);
  if (!isPage) violations.push('it is not a page');
  return [...violations, ...valueViolations(marks)];
}

function pageViolations(stdout: string): readonly string[] {
  const [head = '', table = '', ...more] = stdout.split(/<\/?table>\n/);
  const isPage = head.startsWith('<!DOCTYPE html>\n') && more.join() === '</body>\n</html>\n';
  const violations = table
    .trimEnd()
    .split('\n')
    .filter((line) => !HTML_LINE.test(line))
    .map((line) => `unexpected line: ${JSON.stringify(line)}`);
  if (!isPage) violations.push('it is not a page');
  if (/>(?:NaN|Infinity|undefined|null)</.test(table)) violations.push('it has NaN, null or the like');
  return violations;
}
