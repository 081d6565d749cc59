import {
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { dataFileName, treeName } from '../../../src/plan/files.js';
import { MARKER_NAME } from '../../../src/scratch/marker.js';
import { generateFiles, treeRoot } from '../../../workers/files/file-tree.js';

/** Options of the runs, which determine the names of their files. */
export const SEED = 11;
export const FILES = 32;

const ORDERS = ['numeric', 'random'] as const;
const SHAPE = { count: FILES, directories: 0, kind: 'files', minBytes: 0, maxBytes: 0 } as const;
const TREE = { index: 0, root: treeName(0), first: 0, ...SHAPE };
/** Name of the --out file. */
export const REPORT_NAME = 'report.json';
/** Names in a run's scratch directory that a victim also has. */
export const NAMES = [dataFileName(0), MARKER_NAME, ...ORDERS.map((order) => treeRoot(TREE, order))];

/** A directory with every name that gobonnie removes or overwrites in its own directory, and an empty directory. */
export interface Victim {
  /** Returns the metadata and content of every entry, even after the directory was moved. */
  state(): readonly string[];
}

export function createVictim(directory: string, uid: number, mode: number): Victim {
  const trees = ORDERS.map((order) => treeRoot(TREE, order));
  const smallFiles = ORDERS.flatMap((order) =>
    [...generateFiles(TREE, order, [SEED, 1, 0])].map((file) => file.path),
  );
  for (const name of ['', 'empty', ...trees]) {
    mkdirSync(path.join(directory, name), { mode });
    chownSync(path.join(directory, name), uid, uid);
  }
  for (const name of [dataFileName(0), MARKER_NAME, REPORT_NAME, ...smallFiles]) {
    writeFileSync(path.join(directory, name), `the victim’s ${name}`);
    chownSync(path.join(directory, name), uid, uid);
  }
  const fd = openSync(directory, 'r');
  onTestFinished(() => closeSync(fd));
  return { state: () => describeTree(`/proc/${process.pid}/fd/${fd}/.`) };
}

function describeTree(entryPath: string): readonly string[] {
  const stats = lstatSync(entryPath, { bigint: true });
  const { ino, mode, uid, gid, size, mtimeNs } = stats;
  const facts = `${path.basename(entryPath)} ${[ino, mode, uid, gid, size, mtimeNs].join(' ')}`;
  if (!stats.isDirectory()) return [`${facts} ${stats.isFile() ? readFileSync(entryPath, 'utf8') : ''}`];
  const names = readdirSync(entryPath).toSorted();
  return [facts, ...names.flatMap((name) => describeTree(`${entryPath}/${name}`))];
}
