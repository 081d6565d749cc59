import { phases } from '../../../workers/phases/phase-catalogue.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import { findMissingPhase } from '../../plan/option-effects.js';
import { usedOptions } from '../../report/reported-options.js';
import type { Report } from '../../report/schema/report.js';
import { formatCommandLine } from '../../text/escape.js';
import { toFlag } from '../../text/message-template.js';

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const { command, expectations = [] } = report;
  const conditions = expectations.flatMap(({ condition }) => ['--expect', condition]);
  const words = command ? commandWords(report, command) : optionWords(report);
  // npx closes the connection to the launcher of a job.
  return formatCommandLine([...(report.job ? [] : ['npx']), 'gobonnie', ...words, ...conditions]);
}

function commandWords(report: Report, { name, options }: NonNullable<Report['command']>): readonly string[] {
  const [{ paths = ['--dir', report.target.directory] } = {}] = report.options.steps ?? [];
  const typed = Object.entries(options).flatMap(([option, value]) => toWords(option, value));
  return [name, ...paths, ...typed, ...toWords('seed', report.options.seed)];
}

/** Returns the flags of the options that have an effect and another value than by default, in the order of a report. */
function optionWords(report: Report): readonly string[] {
  const rows: Readonly<Record<string, OptionRow>> = optionCatalogue;
  const { steps, phases: names } = report.options;
  const measured = phases.filter(({ name }) => (steps?.map(({ phase }) => phase) ?? names).includes(name));
  return Object.entries(usedOptions(report)).flatMap(([name, value]) => {
    const isDefault = value === null || value === false || String(value) === String(rows[name]?.default);
    const isWithoutEffect = findMissingPhase(name, measured, steps !== undefined);
    return isDefault || isWithoutEffect ? [] : toWords(name, value);
  });
}

function toWords(name: string, value: string | number | boolean): readonly string[] {
  return value === true ? [toFlag(name)] : [toFlag(name), String(value)];
}
