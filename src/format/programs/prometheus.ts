import { byMachine, type Results } from '../../report/results.js';
import { harmless } from '../../text/escape.js';
import { groupsOf } from '../../text/groups.js';
import { factSamples, figureSamples, type PrometheusSample } from './prometheus-samples.js';
import { measuredDirectories } from './summary.js';

/** Prometheus' text format for node_exporter's textfile collector, which refuses timestamps. */
export function prometheusText(results: readonly Results[]): string {
  const samples = measuredDirectories(byMachine(results)).flatMap((measured) => [
    ...figureSamples(measured),
    ...factSamples(measured),
  ]);
  return groupsOf(samples, ({ family }) => family.name)
    .map((group) => headOf(group[0]) + [...new Set(group.map(lineOf))].join(''))
    .join('');
}

function headOf({ family: { name, help, type } }: PrometheusSample): string {
  return `# HELP ${nameOf(name)} ${help}\n# TYPE ${nameOf(name)} ${type}\n`;
}

function lineOf({ family, suffix, labels, value }: PrometheusSample): string {
  const told = Object.entries(labels).map(([name, text]) => `${name}="${escaped(text)}"`);
  return `${nameOf(family.name)}${suffix ?? ''}{${told.join(',')}} ${numberText(value)}\n`;
}

function nameOf(name: string): string {
  return `gobonnie_${name}`;
}

function escaped(text: string): string {
  return harmless(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** Go's spelling of infinity, which a sum may reach. */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : '+Inf';
}
