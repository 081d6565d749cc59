import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What gobonnie makes in a directory: its scratch directory, and what becomes a report file. */
const OWN = /(^|\/)(gobonnie-[^/]+|\.[^/]+\.gobonnie-[^/]+)$/;
const WITHIN_OWN = /(^|\/)gobonnie-[^/]+\//;

/** The paths of what gobonnie has left. */
export function leftIn(directory: string): readonly string[] {
  return entriesOf(directory)
    .filter((entry) => OWN.test(entry))
    .map((entry) => path.join(directory, entry));
}

/** What is not gobonnie's, in a form that shows every change. */
export function theirsIn(directory: string): Readonly<Record<string, unknown>> {
  const theirs = entriesOf(directory).filter((entry) => !OWN.test(entry) && !WITHIN_OWN.test(entry));
  return Object.fromEntries(theirs.map((entry) => [entry, stateOf(path.join(directory, entry))]));
}

/** Of a directory nothing but its mode: it changes with what comes and goes in it. */
function stateOf(file: string): unknown {
  const stats = lstatSync(file);
  const { mode, size, mtimeMs } = stats;
  if (stats.isDirectory()) return { mode };
  return { mode, size, mtimeMs, content: stats.isFile() ? readFileSync(file, 'latin1') : null };
}

function entriesOf(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' });
}
