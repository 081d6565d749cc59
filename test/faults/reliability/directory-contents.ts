import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Matches the scratch directory, and a report file before its rename. */
const OWN = /(^|\/)(gobonnie-[^/]+|\.[^/]+\.gobonnie-[^/]+)$/;
const WITHIN_OWN = /(^|\/)gobonnie-[^/]+\//;

/** Returns the paths of files and directories that gobonnie left behind. */
export function leftoverPaths(directory: string): readonly string[] {
  return listEntries(directory)
    .filter((entry) => OWN.test(entry))
    .map((entry) => path.join(directory, entry));
}

/** Returns the state of every file that is not gobonnie's, so a test can compare it before and after a run. */
export function userFilesIn(directory: string): Readonly<Record<string, unknown>> {
  const userFiles = listEntries(directory).filter((entry) => !OWN.test(entry) && !WITHIN_OWN.test(entry));
  return Object.fromEntries(userFiles.map((entry) => [entry, describeEntry(path.join(directory, entry))]));
}

/** Returns only the mode for a directory: its times change when files in it are created or removed. */
function describeEntry(file: string): unknown {
  const stats = lstatSync(file);
  const { mode, size, mtimeMs } = stats;
  if (stats.isDirectory()) return { mode };
  return { mode, size, mtimeMs, content: stats.isFile() ? readFileSync(file, 'latin1') : null };
}

function listEntries(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' });
}
