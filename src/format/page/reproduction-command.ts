import { optionCatalogue } from '../../options/option-catalogue.js';
import { type OptionRow, toFlag } from '../../options/option-row.js';
import type { Report } from '../../report/schema/report.js';
import { usedOptions } from '../../report/used-options.js';

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const rows: Readonly<Record<string, OptionRow>> = optionCatalogue;
  const flags = Object.entries(usedOptions(report)).flatMap(([name, value]) => {
    if (value === null || value === false || String(value) === String(rows[name]?.default)) return [];
    return value === true ? [toFlag(name)] : [toFlag(name), quoteForShell(String(value))];
  });
  return ['npx gobonnie', ...flags].join(' ');
}

/** Quotes text for a POSIX shell if needed. */
function quoteForShell(text: string): string {
  return /^[\w.,:/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
