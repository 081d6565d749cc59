import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Slice, WorkerFailure } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import { sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { formatBytes } from '../text/units.js';

/**
 * Returns an error that names the real capacity of a filled disk, if it has overwritten its first data or lost its last.
 * Null for any other failure.
 */
export async function findFalseCapacity(
  { file, positionBytes, damage }: WorkerFailure,
  { assignments }: Step,
  { steps, machine, directory }: RunPlan,
): Promise<GobonnieError | null> {
  if (steps[0]?.phase.name !== 'fill' || damage === null || damage === 'no-stamp') return null;
  const slices = assignments[0]?.slices ?? [];
  const dataBytesAt = (index: number, offsetBytes: number) =>
    sum(slices.slice(0, index).map(({ lengthBytes }) => lengthBytes)) + offsetBytes;
  const index = slices.findIndex((slice) => slice.file === file);
  const dataBytes = dataBytesAt(index, positionBytes);
  const deviceBytes = await physicalBytes(slices[index], positionBytes);
  const { availableBytes, totalBytes, disk } = machine.target;
  let keptBytes = deviceBytes ?? totalBytes - availableBytes + dataBytes;
  if (damage !== 'rest-lost') {
    const { fileIndex, offsetBytes } = damage;
    const later = slices.findIndex((slice) => slice.fileIndex === fileIndex);
    const laterBytes = await physicalBytes(slices[later], offsetBytes);
    const isKnown = deviceBytes !== null && laterBytes !== null;
    keptBytes = Math.abs(isKnown ? laterBytes - deviceBytes : dataBytesAt(later, offsetBytes) - dataBytes);
  }
  // The end of the real disk is somewhere before the first data.
  const about = damage === 'rest-lost' && dataBytes === 0 ? 'at most' : 'about';
  const what = damage === 'rest-lost' ? 'is lost' : 'replaces earlier data';
  return new GobonnieError(
    'false-capacity',
    `the disk of ${display(directory)} stores only ${about} ${formatBytes(keptBytes)} of the ` +
      `${formatBytes(disk?.sizeBytes ?? totalBytes)} that it claims: data beyond that ${what}`,
    'the disk is a fake or broken: do not use it, and restore other files on it from a backup',
  );
}

/** A fixed path instead of PATH, because gobonnie may run as root. */
const FILEFRAG = '/usr/sbin/filefrag';
const FILEFRAG_UNIT_BYTES = 512;
const EXTENT = /^ *\d+: *(\d+)\.\. *(\d+): *(\d+)\.\./gm;

/** Returns the position of a part of a file on the device, by filefrag. Null if it is unknown. */
async function physicalBytes(slice: Slice | undefined, offsetBytes: number): Promise<number | null> {
  const args = ['-v', `-b${FILEFRAG_UNIT_BYTES}`, slice?.file ?? ''];
  const { stdout } = await promisify(execFile)(FILEFRAG, args).catch(() => ({ stdout: '' }));
  const unit = Math.floor(offsetBytes / FILEFRAG_UNIT_BYTES);
  for (const [, first, last, physical] of stdout.matchAll(EXTENT))
    if (unit >= Number(first) && unit <= Number(last))
      return (Number(physical) + unit - Number(first)) * FILEFRAG_UNIT_BYTES;
  return null;
}
