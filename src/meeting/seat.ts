import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CREATE_NEW } from '../../workers/protocol.js';
import { isAlive, type ProcessId } from '../scratch/owner.js';
import { namesIn, type Place, removeTree, TAKEN, unless } from './meeting-place.js';

/** What a process tells the others. */
export interface Seat extends ProcessId {
  /** How many stages it has come to, and the last one's name. */
  readonly arrivals: number;
  readonly stage: string;
}

/** The names of the seats that were ever taken. */
export function seatNames(place: Place): readonly string[] {
  return namesIn(place.path).filter((name) => name.startsWith('seat.'));
}

/** Null for a seat that nobody sits on: left, gone with the rendezvous, or half written when the machine went down. */
export function readSeat(place: Place, name: string): Seat | null {
  try {
    return JSON.parse(readFileSync(path.join(place.path, name, 'state'), 'utf8')) as Seat;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function isTaken(seat: Seat | null): seat is Seat {
  return seat !== null && isAlive(seat);
}

/** The name of the seat; null when there is none, be it that the rendezvous has gone. */
export function takeSeat(place: Place, seat: Seat): string | null {
  const draft = path.join(place.path, `draft.${randomUUID()}`);
  const isDrafted = unless(['ENOENT'], () => {
    mkdirSync(draft, { mode: 0o700 });
    makeFile(path.join(draft, 'state'), seat);
  });
  for (let at = 0; isDrafted && at < place.parties; at++) {
    const name = `seat.${at}`;
    if (unless(['ENOENT', ...TAKEN], () => renameSync(draft, path.join(place.path, name)))) return name;
  }
  removeTree(draft);
  return null;
}

/** Only ever for the own seat. False when the rendezvous has gone. */
export function writeSeat(place: Place, name: string, seat: Seat): boolean {
  const next = path.join(place.path, name, 'next');
  return unless(['ENOENT'], () => {
    makeFile(next, seat);
    renameSync(next, path.join(place.path, name, 'state'));
  });
}

/** Nobody else can have the seat. False when the rendezvous has gone. */
export function leaveSeat(place: Place, name: string): boolean {
  const seat = path.join(place.path, name);
  return unless(['ENOENT'], () => renameSync(path.join(seat, 'state'), path.join(seat, 'left')));
}

function makeFile(file: string, seat: Seat): void {
  const descriptor = openSync(file, CREATE_NEW, 0o600);
  try {
    writeFileSync(descriptor, JSON.stringify(seat));
  } finally {
    closeSync(descriptor);
  }
}
