import { appendFile } from 'node:fs/promises';
import type { CliProcess } from './terminal.js';

/** What a line is to GitHub: it stands beside the job, in red or in yellow. */
export type Level = 'error' | 'warning';

/** One of them. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
}

/** A job of GitHub Actions that this runs in. */
export interface Job {
  /** The file that its summary is gathered in; none in the oldest runners. */
  readonly summaryFile: string | null;
}

/** Null outside of GitHub Actions, and where it is to be left alone. */
export function jobOf({ env }: Pick<CliProcess, 'env'>, isWanted: boolean): Job | null {
  if (!isWanted || env.GITHUB_ACTIONS !== 'true') return null;
  return { summaryFile: env.GITHUB_STEP_SUMMARY || null };
}

/** A line that the runner obeys. */
export function annotationLine({ level, title, message }: Annotation): string {
  return `::${level} title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(message)}`;
}

/** Other steps have written there before. */
export async function summarize({ summaryFile }: Job, markdown: string): Promise<void> {
  if (summaryFile !== null) await appendFile(summaryFile, `${markdown}\n`);
}

/** As the runner's own toolkit does: one line, in which a per cent sign begins a character. */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
