import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { pluralize } from '../../src/text/units.js';
import { ROOT } from '../support/root.js';
import { requireTools } from '../support/tools.js';
import { FAULTS, type Fault, PAUSES } from './reliability/faults.js';
import { GUARANTEES } from './reliability/guarantees.js';
import { type Observation, requiredTools, runFault } from './reliability/run-fault.js';

/** Short, because some faults cause hangs. */
const TIMEOUT_MS = 60_000;
const PAGE = path.join(ROOT, 'docs/reliability.md');
const OUTCOMES = path.join(ROOT, 'test/faults/reliability/outcomes.md');
const TABLE_HEAD = '| fault | command | outcome |\n| --- | --- | --- |';

const outcomes = readFileSync(OUTCOMES, 'utf8');

/** Rows of the recorded outcomes. A fault whose tools are missing keeps its row. */
const rows = new Map(outcomes.split('\n').map((line) => [/^\| \*\*(.+?)\*\*/.exec(line)?.[1] ?? '', line]));

describe.each(Object.entries(FAULTS))('%s:', (heading, faults) => {
  describe.each(faults)('$fault', (fault) => {
    beforeEach(requireTools(...requiredTools(fault)));

    test('breaks no guarantee', { timeout: TIMEOUT_MS }, async () => {
      const observation = await runFault(fault);
      for (const { headings = [heading], verify } of GUARANTEES)
        if (headings.includes(heading)) verify(observation);
      fault.verify?.(observation);
      rows.set(fault.fault, renderRow(fault, observation));
    });
  });
});

test('docs/reliability.md has every guarantee', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const guarantees = GUARANTEES.map(({ sentence }, index) => `| ${index + 1} | ${sentence} |\n`).join('');
  const renewed = page.replace(
    /(?<=<!-- guarantees: begin .*-->\n\n)[\s\S]*(?=\n<!-- guarantees: end -->)/,
    () => `| | |\n| --- | --- |\n${guarantees}`,
  );
  await expect(renewed).toMatchFileSnapshot(PAGE);
});

test('outcomes.md has the outcome of every fault', async () => {
  const introduction = outcomes.slice(0, outcomes.indexOf('## '));
  const tables = Object.entries(FAULTS).map(([title, faults]) =>
    [`## ${title}`, '', TABLE_HEAD, ...faults.map(({ fault }) => rows.get(fault)), ''].join('\n'),
  );
  await expect(introduction + tables.join('\n')).toMatchFileSnapshot(OUTCOMES);
});

function renderRow(fault: Fault, observation: Observation): string {
  const { setup = '', at, inject = '', command } = fault;
  const { exitCode, stdout, leftovers } = observation;
  const injection = at ? [`${PAUSES[at].description}:`, ...renderScript(inject)] : [];
  const left = leftovers.map((entry) => renderCode(normalize(entry, observation))).join(', ');
  const outcome = [
    `exit ${exitCode}; printed: ${printedResults(stdout) || 'nothing'}; left: ${left || 'nothing'}`,
  ];
  const message = findMessage(fault, observation);
  if (message !== null) outcome.push(renderCode(message));
  const cells = [
    [`**${fault.fault}**`, ...renderScript(setup), ...injection],
    renderScript(command),
    outcome,
  ];
  return `| ${cells.map((lines) => lines.join('<br>')).join(' | ')} |`;
}

/** Returns the titles of the printed phases or, for JSON, the number of runs. */
function printedResults(stdout: string): string {
  return stdout.startsWith('{')
    ? pluralize(JSON.parse(stdout).results.length, 'complete run')
    : (stdout.match(/^[A-Z][\w ]+(?=(?: (?:MB|ops)\/s)?: \d[\d.]*$)/gm) ?? []).join(', ');
}

/** Returns the message about the fault. It keeps an offset only if the fault was injected at that offset. */
function findMessage({ message, inject = '' }: Fault, observation: Observation): string | null {
  const { stderr, errorLines } = observation;
  const line = errorLines.at(-1) ?? stderr.split('\n').find((text) => message?.test(text));
  if (line === undefined) return null;
  return normalize(line, observation).replace(/ at offset (\d+)/g, (words, offset: string) =>
    inject.includes(`seek=${offset} `) ? words : ' at offset …',
  );
}

/** Replaces the parts that differ between machines and runs. */
function normalize(text: string, { dir, work }: Observation): string {
  return text
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '')
    .replaceAll(dir, '$DIR')
    .replaceAll(work, '$WORK')
    .replace(/\/gobonnie-\w{6}\b/g, '/gobonnie-…')
    .replace(/(\/tree\.\d+)\/\w+/g, '$1/…')
    .replace(/(no progress for) \d+ s/, '$1 … s')
    .replace(/(no room for) \S+ GiB/g, '$1 … GiB');
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
