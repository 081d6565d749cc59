import {
  type Cell,
  computeAgreement,
  fitLine,
  forecastEach,
  type Statistic,
  summarizeStep,
} from './agreement.js';
import { compareStep, type FilesystemRounds, WITHOUT_MODEL, WORKLOADS, type Workload } from './comparison.js';

/** Formats the results as Markdown for bench/README.md. */
export function formatValidation(results: readonly FilesystemRounds[], statistic: Statistic): string {
  const steps = WORKLOADS.map((workload) => ({
    workload,
    cells: compareStep(results, workload.step, statistic),
  }));
  const measured = steps.filter(({ cells }) => cells.length > 0);
  const cellRows = measured.map(({ workload, cells }) => [workload.step, ...cells.map(formatCell)]);
  const withoutModel = results.map(({ real }) => formatNumber(summarizeStep(real, WITHOUT_MODEL, statistic)));
  const agreementRows = measured.map(({ workload, cells }) => formatAgreement(workload, cells));
  return `Seconds of the real tool / seconds of the model = their ratio:

${formatTable(['step', ...results.map(({ filesystem }) => filesystem)], [...cellRows, [WITHOUT_MODEL, ...withoutModel]])}
The worst error is the largest factor between the ratio on one filesystem and the geometric mean of all:

${formatTable(['step', 'real tool', 'mean ratio', 'range', 'worst error', 'goal', 'reached'], agreementRows)}
${formatInstall(compareStep(results, 'install', statistic))}`;
}

/** A line through two filesystems would leave no error. */
function formatInstall(cells: readonly Cell[]): string {
  if (cells.length < 3) return '';
  const { constant, slope } = fitLine(cells);
  const rows = forecastEach(cells).map(({ filesystem, real, forecast }) => {
    const percent = ((forecast / real - 1) * 100).toFixed(0);
    return [filesystem, formatNumber(real), formatNumber(forecast), `${percent} %`];
  });
  return `\`npm ci\` = ${formatNumber(constant)} s + ${formatNumber(slope)} x install. Each filesystem, forecast from the others:

${formatTable(['filesystem', 'npm ci, s', 'forecast, s', 'error'], rows)}`;
}

function formatCell({ real, model }: Cell): string {
  return `${formatNumber(real)} / ${formatNumber(model)} = ${formatNumber(real / model)}`;
}

function formatAgreement({ step, tool, goal }: Workload, cells: readonly Cell[]): readonly string[] {
  const { mean, min, max, worstError } = computeAgreement(cells);
  const numbers = [
    formatNumber(mean),
    `${formatNumber(min)} to ${formatNumber(max)}`,
    formatNumber(worstError),
  ];
  const withGoal = cells.filter((cell) => goal?.appliesTo(cell));
  if (!goal || withGoal.length < 2) return [step, tool, ...numbers, '-', '-'];
  const error = computeAgreement(withGoal).worstError;
  const names = withGoal.map(({ filesystem }) => filesystem).join(', ');
  const scope = withGoal.length < cells.length ? ` on ${names}` : '';
  const verdict = `${error <= goal.maxError ? 'yes' : 'no'}: ${formatNumber(error)}`;
  return [step, tool, ...numbers, `${goal.maxError}${scope}`, verdict];
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value < 1 ? 2 : 3 });
}
