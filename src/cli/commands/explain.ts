import { optionError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { findNearest } from '../../text/suggest.js';
import { hangingIndent, wrapText } from '../../text/wrap.js';
import { defineCommand } from '../argv/define-command.js';
import { type Example, exampleLines, proseWidth, windowColumns } from '../argv/help-layout.js';
import { ValuedArgument } from '../argv/option.js';
import { withProgramName } from '../argv/program-name.js';
import { readPackageFile } from '../package-file.js';

/** Shorter parts occur in too many codes. */
const MIN_PART_LENGTH = 3;

export const explain = defineCommand({
  name: 'gobonnie explain',
  description:
    'Explains a code, with its cause, its effect on the results and the remedy, or a term of the results, and ' +
    'translates options of fio.',
  argument: new ValuedArgument(
    '[CODE]',
    'the code of a warning or an error, an exit code, a term, or an option of fio (default: list all codes)',
    {
      choices: async () =>
        readExplanations().flatMap(({ names, title }) => names.map((word) => ({ word, help: title }))),
    },
  ),
  options: [],
  takesAnyFlag: true,
  examples: [
    { command: 'gobonnie explain', comment: 'all codes, one line each' },
    { command: 'gobonnie explain served-from-cache', comment: 'a warning' },
    { command: 'gobonnie explain size-too-large', comment: 'an error' },
    { command: 'gobonnie explain 3', comment: 'an exit code' },
    { command: 'gobonnie explain iodepth', comment: 'an option of fio' },
  ],
  notes:
    'Reports also contain these codes (warnings[].code, outcome.code). docs/warnings.md and docs/fio.md have the same texts.',
  request(_, [code]) {
    const explanations = readExplanations();
    const text = code === undefined ? renderList(explanations) : explainCode(code, explanations);
    return { type: 'print', text };
  },
});

function explainCode(query: string, explanations: readonly Explanation[]): string {
  const wantedCode = query.trim().toLowerCase();
  const explanation = explanations.find(({ names }) => names.includes(wantedCode));
  if (explanation) return renderExplanation(explanation);
  // As in a job of fio: --iodepth=32, or iodepth=32.
  const translations = translateFioOption(wantedCode.replace(/^--|=.*$/g, ''));
  if (translations.length > 0) return `${translations.join('\n\n')}\n`;
  const codes = explanations.flatMap(({ names }) => names);
  const nearest = findNearest(wantedCode, codes);
  let similarCodes = nearest === null ? [] : [nearest];
  if (nearest === null && wantedCode.length >= MIN_PART_LENGTH)
    similarCodes = codes.filter((code) => code.includes(wantedCode));
  throw optionError(
    `unknown code ${display(query)}`,
    similarCodes.length === 0
      ? 'gobonnie explain lists all codes'
      : `did you mean ${new Intl.ListFormat('en', { type: 'disjunction' }).format(similarCodes)}?`,
  );
}

function renderList(explanations: readonly Explanation[]): string {
  const chapters = groupBy(explanations, ({ chapter }) => chapter).map((chapter) => {
    const width = Math.max(...chapter.map(({ names }) => names.join(', ').length));
    const lines = chapter.flatMap(({ names, title }) =>
      hangingIndent(`  ${names.join(', ').padEnd(width)}  `, title, windowColumns()),
    );
    return [`${chapter[0].chapter}:`, ...lines, ''].join('\n');
  });
  const hint = 'gobonnie explain CODE shows the details, also of an option of fio.';
  return `${chapters.join('\n')}\n${withProgramName(hint, process.env)}\n`;
}

function renderExplanation({ chapter, names, title, paragraphs, examples }: Explanation): string {
  const kind = (names.length > 1 ? chapter : chapter.replace(/s$/, '')).toLowerCase();
  const parts = [`${kind} ${names.join(', ')}: ${title}`, ...paragraphs].map((text) =>
    wrapText(text, proseWidth()),
  );
  return `${[...parts, exampleLines(examples)].filter(Boolean).join('\n\n')}\n`;
}

/** Returns the rows of docs/fio.md about an option of fio, or about a pattern of its --rw. */
function translateFioOption(name: string): readonly string[] {
  const rows = [...readPackageFile('docs/fio.md').matchAll(/^\| (`--.*?) \| (.*) \|$/gm)];
  return rows
    .filter(([, options = '']) => options.match(/(?<=--)[\w-]+|(?<==)rand\w+/g)?.includes(name))
    .map(([, options, text]) => wrapText(withoutMarkup(`fio's ${options}: ${text}`), proseWidth()));
}

type Explanation = ReturnType<typeof parseSection>;

/** Reads docs/warnings.md, which explains all codes. */
export function readExplanations(): readonly Explanation[] {
  const [, ...chapters] = readPackageFile('docs/warnings.md').split(/^## /m);
  return chapters.flatMap((chapter) => {
    const [introduction = '', ...sections] = chapter.split(/^### /m);
    const [title = ''] = introduction.split('\n');
    return sections.map((section) => parseSection(title, section));
  });
}

/** Parses a section without its Markdown. */
function parseSection(chapter: string, section: string) {
  const [prose = '', commands = ''] = section.split(/^```.*\n/m);
  const [heading = '', ...paragraphs] = withoutMarkup(prose).trim().split('\n\n');
  const [names = ''] = heading.split(': ');
  return {
    chapter,
    names: names.split(', '),
    title: heading.slice(`${names}: `.length),
    // The lines of a paragraph are joined, but not the items of a list.
    paragraphs: paragraphs.map((paragraph) => paragraph.replaceAll(/\n(?!- )/g, ' ')),
    examples: commands.split('\n').filter(Boolean).map(parseExample),
  };
}

/** Leaves out backticks, the targets of links, and the backslashes of tables. */
function withoutMarkup(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/`|\\(?=\|)/g, '');
}

function parseExample(line: string): Example {
  const [command = '', comment = ''] = line.split(/ +# /);
  return { command, comment };
}
