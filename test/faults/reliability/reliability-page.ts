import type { FaultCase, FaultGroup } from './fault-case.js';
import { GUARANTEES } from './guarantees.js';

const INTRODUCTION = `# What happens when something goes wrong

The tests generate this page: \`npx vitest run test/faults/reliability -u\` injects every fault below and records the outcome. Without \`-u\`,
the same command fails if the page is out of date. It needs Linux and root.

## Guarantees

| | |
| --- | --- |
${Object.entries(GUARANTEES)
  .map(([number, { sentence }]) => `| ${number} | ${sentence} |`)
  .join('\n')}

## How to read the tables

You can paste the commands into a shell. \`$DIR\` is the empty directory to measure, \`$WORK\` another empty directory, and \`$NAME\` an
unused name. \`$NOBODY\` runs a command as a user who owns nothing: \`setpriv --reuid=65534 --regid=65534 --clear-groups\`.
In the output, \`…\` stands for text that differs in each run. "Printed" lists the results that gobonnie still printed.
`;

/** A fault and its outcome. */
export interface Finding {
  readonly faultCase: FaultCase;
  readonly leftovers: readonly string[];
  readonly message: string | null;
}

/** The whole document. */
export function renderPage(groups: readonly FaultGroup[], findings: ReadonlyMap<FaultCase, Finding>): string {
  const sections = groups.map(({ title, cases }) => {
    const lines = cases.flatMap((faultCase) => findings.get(faultCase) ?? []).map(renderRow);
    return [
      `## ${title}`,
      '',
      '| fault | command | guarantee | outcome |',
      '| --- | --- | --- | --- |',
      ...lines,
      '',
    ].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function renderRow({ faultCase, leftovers, message }: Finding): string {
  const { fault, setup = '', trigger, command, guarantees, exitCode, expectedOutput } = faultCase;
  const triggerLines = trigger ? [`${trigger.at.description}:`, ...renderScript(trigger.script)] : [];
  const faultCell = [`**${fault}**`, ...renderScript(setup), ...triggerLines];
  const guaranteeCell = guarantees.map((number) => `${number} ${GUARANTEES[number].summary}`);
  const printed = expectedOutput.join(', ') || 'nothing';
  const outcome = [
    `exit ${exitCode}; printed: ${printed}; left: ${leftovers.map(renderCode).join(', ') || 'nothing'}`,
  ];
  if (message !== null) outcome.push(renderCode(message));
  return `| ${[faultCell, renderScript(command), guaranteeCell, outcome].map((lines) => lines.join('<br>')).join(' | ')} |`;
}

function renderScript(script: string): readonly string[] {
  return script.split('\n').filter(Boolean).map(renderCode);
}

/** Escapes pipes, which would end the cell. Text that contains a backtick goes between double backticks. */
function renderCode(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.includes('`') ? ' ' : '';
  return `${fence}${space}${text.trim()}${space}${fence}`.replaceAll('|', '\\|');
}
