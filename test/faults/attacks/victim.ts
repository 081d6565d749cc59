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

/** The options of the runs, so that the names of their files are known. */
export const SEED = 11;
export const FILES = 32;

const ORDERS = ['numeric', 'random'] as const;
const SHAPE = { count: FILES, directories: 0, kind: 'files', minBytes: 0, maxBytes: 0 } as const;
const TREE = { index: 0, root: treeName(0), first: 0, ...SHAPE };
/** The name of the file of --out. */
export const REPORT_NAME = 'report.json';
/** Names in the scratch directory of a run, which a victim has, too. */
export const NAMES = [dataFileName(0), MARKER_NAME, ...ORDERS.map((order) => treeRoot(TREE, order))];

/** A directory with everything that gobonnie would remove or overwrite if it were its own, and an empty one. */
export interface Victim {
  /** All facts about everything in it, even after it was moved. */
  state(): readonly string[];
}

export function createVictim(directory: string, uid: number, mode: number): Victim {
  const trees = ORDERS.map((order) => treeRoot(TREE, order));
  const small = ORDERS.flatMap((order) =>
    [...generateFiles(TREE, order, [SEED, 1, 0])].map((file) => file.path),
  );
  for (const name of ['', 'empty', ...trees]) {
    mkdirSync(path.join(directory, name), { mode });
    chownSync(path.join(directory, name), uid, uid);
  }
  for (const name of [dataFileName(0), MARKER_NAME, REPORT_NAME, ...small]) {
    writeFileSync(path.join(directory, name), `the victim’s ${name}`);
    chownSync(path.join(directory, name), uid, uid);
  }
  const fd = openSync(directory, 'r');
  onTestFinished(() => closeSync(fd));
  return { state: () => describeTree(`/proc/${process.pid}/fd/${fd}/.`) };
}

function describeTree(place: string): readonly string[] {
  const found = lstatSync(place, { bigint: true });
  const { ino, mode, uid, gid, size, mtimeNs } = found;
  const facts = `${path.basename(place)} ${[ino, mode, uid, gid, size, mtimeNs].join(' ')}`;
  if (!found.isDirectory()) return [`${facts} ${found.isFile() ? readFileSync(place, 'utf8') : ''}`];
  const names = readdirSync(place).toSorted();
  return [facts, ...names.flatMap((name) => describeTree(`${place}/${name}`))];
}
