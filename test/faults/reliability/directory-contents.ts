import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What gobonnie creates in a directory: its scratch directory, and a report file before it is renamed. */
const OWN = /(^|\/)(gobonnie-[^/]+|\.[^/]+\.gobonnie-[^/]+)$/;
const WITHIN_OWN = /(^|\/)gobonnie-[^/]+\//;

/** The paths of files and directories that gobonnie has left. */
export function leftoverPaths(directory: string): readonly string[] {
  return listEntries(directory)
    .filter((entry) => OWN.test(entry))
    .map((entry) => path.join(directory, entry));
}

/** The state of everything that is not gobonnie's; every change shows. */
export function userFilesIn(directory: string): Readonly<Record<string, unknown>> {
  const userFiles = listEntries(directory).filter((entry) => !OWN.test(entry) && !WITHIN_OWN.test(entry));
  return Object.fromEntries(userFiles.map((entry) => [entry, describeEntry(path.join(directory, entry))]));
}

/** Only the mode of a directory: its times change as files come and go. */
function describeEntry(file: string): unknown {
  const stats = lstatSync(file);
  const { mode, size, mtimeMs } = stats;
  if (stats.isDirectory()) return { mode };
  return { mode, size, mtimeMs, content: stats.isFile() ? readFileSync(file, 'latin1') : null };
}

function listEntries(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' });
}
