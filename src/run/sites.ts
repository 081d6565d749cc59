import path from 'node:path';
import type { Dataset, Phase } from '../../workers/phases/phase.js';
import { GobonnieError } from '../errors.js';
import { type Plan, plan } from '../plan/plan.js';
import { assignmentsWithin } from '../plan/stonewall.js';
import { dataFilesOf } from '../plan/stored.js';
import type { Measurement } from '../report/schema/report.js';
import { PeerScratch, type FileLocation } from '../scratch/other-scratch.js';
import type { Scratch } from '../scratch/scratch.js';
import { flag, msg } from '../text/sentence.js';
import type { Team } from './crew/crew.js';
import type { Peers } from './peers.js';

type Work = Pick<Phase, 'dataset' | 'access'>;

/** Where this process makes files, and where it uses them: in a job perhaps those that another rank has made. */
export class Sites {
  readonly #scratch: Scratch;
  readonly #plan: Plan;
  /** The plan of the rank whose files this one uses. */
  readonly #used: Plan;
  readonly #other: PeerScratch | null;
  readonly #shared: PeerScratch | null;
  /** How many blocks or files each thread has made, if not all. */
  readonly #made = new Map<Dataset, number>();

  private constructor(
    scratch: Scratch,
    own: Plan,
    used: Plan,
    { other, shared }: { other: PeerScratch | null; shared: PeerScratch | null },
  ) {
    this.#scratch = scratch;
    this.#plan = own;
    this.#used = used;
    this.#other = other;
    this.#shared = shared;
  }

  static async find(own: Plan, scratch: Scratch, peers: Peers): Promise<Sites> {
    const { rank, ranks } = own.place;
    if (ranks === 1) return new Sites(scratch, own, own, { other: null, shared: null });
    const { sharedFile, sharedDir } = own.options;
    const find = async (from: number, name: string) =>
      from === rank ? null : PeerScratch.find(own.directory, name, dataFilesOf(own.slices));
    const names = await peers.told(path.basename(scratch.path), [0, peers.source]);
    const [first, source] = names;
    // After an abort nothing is measured.
    if (first === undefined || source === undefined)
      return new Sites(scratch, own, own, { other: null, shared: null });
    const [shared, other] = [await find(0, first), await find(peers.source, source)];
    const seesFirst = await peers.all(rank === 0 || shared !== null);
    if (!seesFirst && (sharedFile || sharedDir)) throw notShared(own);
    const seesOther = await peers.all(peers.source === rank || other !== null);
    if (!seesOther) peers.useOwn();
    const used = seesOther ? plan(own.options, own.machine, { rank: peers.source, ranks }) : own;
    return new Sites(scratch, own, used, { other: seesOther ? other : null, shared });
  }

  /** The files of a phase. */
  of(phase: Work): FileLocation {
    return (this.#isShared(phase) ? this.#shared : this.#uses(phase) ? this.#other : null) ?? this.#scratch;
  }

  /** What the workers do in a phase, with the paths of their files. */
  team(phase: Work & Pick<Phase, 'runBy'>, index: number): Team {
    const plan = this.#uses(phase) ? this.#used : this.#plan;
    const steps = phase.access === 'creates' ? undefined : this.#made.get(phase.dataset);
    const assignments = steps === undefined ? plan.assignments[index] : assignmentsWithin(phase, plan, steps);
    return (assignments ?? []).map(this.of(phase).resolvePaths);
  }

  /** Later phases use what all threads of all ranks have made, if --stonewall has cut this one. */
  async noteMade({ dataset }: Work, { stonewall }: Measurement, peers: Peers): Promise<void> {
    if (this.#plan.options.stonewall === undefined) return;
    const steps = await peers.least(stonewall?.leastSteps ?? Number.MAX_SAFE_INTEGER);
    if (steps < Number.MAX_SAFE_INTEGER) this.#made.set(dataset, steps);
    else this.#made.delete(dataset);
  }

  /** All that may be in this host's memory: what it has written, and what it reads. */
  get cached(): Pick<FileLocation, 'files' | 'displayPath'> {
    const sites: readonly FileLocation[] = [
      ...new Set([
        this.of({ dataset: 'data', access: 'creates' }),
        this.of({ dataset: 'data', access: 'uses' }),
      ]),
    ];
    const displayPath = (file: string) => sites.find(({ files }) => files.includes(file))?.displayPath(file) ?? file;
    return { files: sites.flatMap(({ files }) => files), displayPath };
  }

  async close(): Promise<void> {
    await this.#other?.close();
    await this.#shared?.close();
  }

  #isShared({ dataset }: Work): boolean {
    const { sharedFile, sharedDir } = this.#plan.options;
    return dataset === 'data' ? sharedFile : sharedDir;
  }

  #uses({ access }: Work): boolean {
    return access === 'uses';
  }
}

function notShared({ directory, options }: Plan): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    msg`${flag(options.sharedFile ? 'sharedFile' : 'sharedDir')}: not all ranks see the same ${flag('dir', directory)}`,
    msg`pass a ${flag('dir')} on a filesystem that all hosts share, or leave out ${flag(options.sharedFile ? 'sharedFile' : 'sharedDir')}`,
  );
}
