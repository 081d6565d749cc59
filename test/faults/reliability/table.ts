import { PROMISES } from './promises.js';
import type { Family, Row } from './row.js';

const INTRODUCTION = `# What happens when something goes wrong

The tests write this page: \`npx vitest run test/faults/reliability -u\` injects every fault below and records the outcome. Without \`-u\` the
same run fails if the page is no longer true. It needs Linux and root.

## The promises

| | |
| --- | --- |
${Object.entries(PROMISES)
  .map(([number, { sentence }]) => `| ${number} | ${sentence} |`)
  .join('\n')}

## How to read the tables

The commands can be pasted into a shell. \`$DIR\` is the empty directory to measure, \`$WORK\` another empty directory, and \`$NAME\` an
unused name. \`$NOBODY\` runs the command after it as a user who owns nothing: \`setpriv --reuid=65534 --regid=65534 --clear-groups\`.
In the output, \`…\` stands for text that differs each time. "Printed" lists the figures that were still printed.
`;

/** A fault and its outcome. */
export interface Finding {
  readonly row: Row;
  readonly left: readonly string[];
  readonly wording: string | null;
}

/** The whole document. */
export function documentOf(families: readonly Family[], findings: ReadonlyMap<Row, Finding>): string {
  const sections = families.map(({ title, rows }) => {
    const lines = rows.flatMap((row) => findings.get(row) ?? []).map(lineOf);
    return [
      `## ${title}`,
      '',
      '| fault | command | promise | outcome |',
      '| --- | --- | --- | --- |',
      ...lines,
      '',
    ].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function lineOf({ row, left, wording }: Finding): string {
  const { fault, given = '', strike, command, promises, exitCode, told } = row;
  const struck = strike ? [`${strike.at.words}:`, ...codesOf(strike.by)] : [];
  const made = [`**${fault}**`, ...codesOf(given), ...struck];
  const kept = promises.map((number) => `${number} ${PROMISES[number].words}`);
  const outcome = [
    `exit ${exitCode}; printed: ${told.join(', ') || 'nothing'}; left: ${left.map(code).join(', ') || 'nothing'}`,
    ...(wording === null ? [] : [code(wording)]),
  ];
  return `| ${[made, codesOf(command), kept, outcome].map((lines) => lines.join('<br>')).join(' | ')} |`;
}

function codesOf(script: string): readonly string[] {
  return script.split('\n').filter(Boolean).map(code);
}

/** A pipe would end the cell. Text that contains a backtick goes between double ones. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.includes('`') ? ' ' : '';
  return `${fence}${space}${text.trim()}${space}${fence}`.replaceAll('|', '\\|');
}
