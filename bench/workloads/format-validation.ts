import { type Cell, computeAgreement, fitLine, forecastEach, medianSeconds } from './agreement.js';
import { compareStep, type FilesystemRounds, WITHOUT_MODEL, WORKLOADS, type Workload } from './comparison.js';

/** Formats the results as Markdown for docs/workloads.md. */
export function formatValidation(results: readonly FilesystemRounds[]): string {
  const rows = WORKLOADS.map((workload) => ({ workload, cells: compareStep(results, workload.step) })).filter(
    ({ cells }) => cells.length > 0,
  );
  const filesystems = results.map(({ filesystem }) => filesystem);
  return [
    'Seconds of the real tool / of the model, and their ratio:\n',
    formatTable(
      ['workload', ...filesystems],
      [
        ...rows.map(({ workload, cells }) => [
          workload.step,
          ...filesystems.map((name) => formatCell(cells.find(({ filesystem }) => filesystem === name))),
        ]),
        [
          WITHOUT_MODEL.step,
          ...results.map(({ real }) => `${formatNumber(medianSeconds(real, WITHOUT_MODEL.step))} / no model`),
        ],
      ],
    ),
    'Does the model predict the real tool? The worst error is the largest factor between the ratio of a filesystem and the mean ratio:\n',
    formatTable(
      ['workload', 'real tool', 'mean real/model', 'range', 'worst error', 'goal', 'reached'],
      rows.map(({ workload, cells }) => [workload.step, workload.tool, ...formatAgreement(workload, cells)]),
    ),
    ...formatInstallFit(compareStep(results, 'install')),
  ].join('\n');
}

function formatCell(cell: Cell | undefined): string {
  if (!cell) return '-';
  return `${formatNumber(cell.real)} / ${formatNumber(cell.model)} = ${formatNumber(cell.real / cell.model)}`;
}

/** Shows the errors on all filesystems, and those on the filesystems with a goal if they are fewer. */
function formatAgreement({ goal, hasGoal }: Workload, cells: readonly Cell[]): readonly string[] {
  const all = computeAgreement(cells);
  const withGoal = cells.filter(hasGoal);
  const range = `${formatNumber(all.min)} to ${formatNumber(all.max)}`;
  const numbers = [formatNumber(all.mean), range];
  if (goal === null || withGoal.length < 2) return [...numbers, formatNumber(all.worstError), '-', '-'];
  const { worstError } = computeAgreement(withGoal);
  const isPartial = withGoal.length < cells.length;
  const scope = isPartial ? ` (${withGoal.map(({ filesystem }) => filesystem).join(', ')})` : '';
  const errors = isPartial
    ? `${formatNumber(all.worstError)}; with a goal ${formatNumber(worstError)}`
    : formatNumber(worstError);
  return [...numbers, errors, `${goal}${scope}`, worstError <= goal ? 'yes' : 'no'];
}

function formatInstallFit(cells: readonly Cell[]): readonly string[] {
  if (cells.length < 3) return [];
  const { constant, slope } = fitLine(cells);
  return [
    `\`npm ci\` = ${formatNumber(constant)} s + ${formatNumber(slope)} x install. Each filesystem, forecast from the fit to the others:\n`,
    formatTable(
      ['filesystem', 'npm ci, s', 'forecast, s', 'error'],
      forecastEach(cells).map(({ filesystem, real, forecast }) => [
        filesystem,
        formatNumber(real),
        formatNumber(forecast),
        `${((forecast / real - 1) * 100).toFixed(0)} %`,
      ]),
    ),
  ];
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return lines.join('');
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value < 1 ? 2 : 3 });
}
