import { GobonnieError } from '../errors.js';
import type { Results } from '../read/index.js';
import { shown } from '../text/escape.js';
import { joined, type Subject, subjectOfReport, subjectOfSheets } from './subject.js';

/** What was read back, as one side of a comparison. */
export function subjectOfResults(name: string, results: readonly Results[]): Subject {
  const subject = joined(
    name,
    results.map(({ report, sheets }) =>
      report ? subjectOfReport(name, report) : subjectOfSheets(name, sheets),
    ),
  );
  if (subject.samples.length > 0) return subject;
  throw new GobonnieError('unreadable', `${shown(name)} holds no complete run`, 'give a report that does');
}
