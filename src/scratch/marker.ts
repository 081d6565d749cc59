import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type FileTree, NO_FOLLOW } from '../../workers/protocol.js';
import { FILE_KINDS, MAX_DATA_FILES, MAX_DIRECTORIES, MAX_FILES, MAX_TREES } from '../options/family.js';
import type { Owner } from './owner.js';
import { isOwn } from './safe-path/own-file.js';
import type { Planted } from './small-files.js';

/** What tells a directory of gobonnie's from any other, and whose it is. */
export const MARKER_NAME = 'owner';

const FORMAT = 'gobonnie-scratch/2';
/** It did not say on which machine it was made. */
const EARLIER_FORMAT = 'gobonnie-scratch/1';
const BEGINNING = JSON.stringify({ format: FORMAT }).slice(0, -1);
/** What has become a FIFO must not hold us. */
const READ = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
/** Beyond what the most threads need. */
const MOST_BYTES = 2 ** 20;

export type TreeShape = Omit<FileTree, 'root'>;

/** What the scratch directory of a run holds: all names follow from these numbers. */
export interface Contents {
  readonly files: number;
  readonly trees: readonly TreeShape[];
  readonly seed: number;
  readonly planted: Planted;
}

/** Who made a scratch directory, and what may be in it. There is no path in it, so that it cannot lead elsewhere. */
export interface Marker extends Contents {
  /** Null where an earlier gobonnie made it, which said less. */
  readonly owner: Owner | null;
  /** The directories above it that were made with it, the innermost first: see identity.ts. */
  readonly madeParents: readonly string[];
}

/** Of a directory in which nothing has been made yet. */
export const EMPTY = { files: 0, trees: [], seed: 0, planted: {} } as const satisfies Contents;

const EARLIER: Marker = { ...EMPTY, owner: null, madeParents: [] };

export function textOf(marker: Marker): string {
  return `${JSON.stringify({ format: FORMAT, ...marker })}\n`;
}

/** Null where there is none of this user's, or one that says something else than it should. */
export async function readMarker(root: string): Promise<Marker | null> {
  const text = await readOwnFile(path.join(root, MARKER_NAME));
  const [line = ''] = text?.split('\n') ?? [];
  const found = parsed(line);
  if (isObject(found) && found.format === EARLIER_FORMAT) return EARLIER;
  return isMarker(found) ? found : null;
}

/** Whether there is nothing but, at most, the beginning of one. */
export async function isMarkerBegun(root: string): Promise<boolean> {
  const [name, ...others] = await readdir(root);
  if (name === undefined) return true;
  if (name !== MARKER_NAME || others.length > 0) return false;
  const text = await readOwnFile(path.join(root, MARKER_NAME));
  return text !== null && BEGINNING.startsWith(text.slice(0, BEGINNING.length));
}

async function readOwnFile(file: string): Promise<string | null> {
  const handle = await open(file, READ).catch(() => null);
  if (!handle) return null;
  try {
    const found = await handle.stat();
    if (!found.isFile() || !isOwn(found) || found.size > MOST_BYTES) return null;
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** No more than a run can have: whoever removes it has to come to an end. */
function isMarker(value: unknown): value is Marker {
  if (!isObject(value) || value.format !== FORMAT || !isObject(value.owner)) return false;
  const { files, trees, seed, planted, madeParents, owner } = value;
  return (
    [seed, owner.pid].every(isCount) &&
    isCountUpTo(MAX_DATA_FILES, files) &&
    [owner.birth, owner.host, owner.machine, owner.boot, owner.pidNamespace].every(isText) &&
    Array.isArray(madeParents) &&
    madeParents.every(isText) &&
    isObject(planted) &&
    [planted.tree, planted['random-tree']].every((run) => run === undefined || isCount(run)) &&
    Array.isArray(trees) &&
    trees.length <= MAX_TREES &&
    trees.every(isTreeShape) &&
    trees.reduce((sum, { count }) => sum + count, 0) <= MAX_FILES
  );
}

function isTreeShape(value: unknown): value is TreeShape {
  if (!isObject(value)) return false;
  const { count, directories, minBytes, maxBytes, kind } = value;
  return (
    [count, minBytes, maxBytes].every(isCount) &&
    isCountUpTo(MAX_DIRECTORIES, directories) &&
    FILE_KINDS.some((known) => known === kind)
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return isCountUpTo(Number.MAX_SAFE_INTEGER, value);
}

function isCountUpTo(most: number, value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}
