import path from 'node:path';
import type { Dataset, Phase } from '../../workers/phases/phase.js';
import { GobonnieError } from '../errors.js';
import { plan, type RunPlan } from '../plan/plan.js';
import { countDataFiles } from '../plan/scratch-layout.js';
import { limitAssignments } from '../plan/stonewall-plan.js';
import { minMax } from '../report/measure/min-max.js';
import type { Measurement } from '../report/schema/report.js';
import { type FileLocation, PeerScratch } from '../scratch/peer-scratch.js';
import type { Scratch } from '../scratch/scratch.js';
import { flag, msg } from '../text/message-template.js';
import type { PeerGroup } from './peer-group.js';
import type { Assignments } from './worker-pool/worker-pool.js';

type DatasetUse = Pick<Phase, 'dataset' | 'access'>;

/** Where this process creates files, and where it uses files: in a job, another rank may have created them. */
export class FileLocations {
  readonly #scratch: Scratch;
  readonly #plan: RunPlan;
  /** The plan of the rank whose files this one uses. */
  readonly #sourcePlan: RunPlan;
  readonly #source: PeerScratch | null;
  readonly #shared: PeerScratch | null;
  /** Number of blocks or files that each thread has created, if --stonewall stopped the phase. */
  readonly #createdSteps = new Map<Dataset, number>();

  private constructor(
    scratch: Scratch,
    ownPlan: RunPlan,
    sourcePlan: RunPlan,
    { source, shared }: { source: PeerScratch | null; shared: PeerScratch | null },
  ) {
    this.#scratch = scratch;
    this.#plan = ownPlan;
    this.#sourcePlan = sourcePlan;
    this.#source = source;
    this.#shared = shared;
  }

  static async find(own: RunPlan, scratch: Scratch, peers: PeerGroup): Promise<FileLocations> {
    const { rank, ranks } = own.jobPosition;
    if (ranks === 1) return new FileLocations(scratch, own, own, { source: null, shared: null });
    const { sharedFile, sharedDir } = own.options;
    const find = async (from: number, name: string) =>
      from === rank ? null : PeerScratch.find(own.directory, name, countDataFiles(own.slices));
    const names = await peers.share(path.basename(scratch.path), [0, peers.source]);
    const [firstName, sourceName] = names;
    // After an abort nothing is measured, so any location will do.
    if (firstName === undefined || sourceName === undefined)
      return new FileLocations(scratch, own, own, { source: null, shared: null });
    const shared = await find(0, firstName);
    const source = await find(peers.source, sourceName);
    const isSharedVisible = await peers.agree(rank === 0 || shared !== null, areAllTrue);
    if (!isSharedVisible && (sharedFile || sharedDir)) throw notSharedError(own);
    const isSourceVisible = await peers.agree(peers.source === rank || source !== null, areAllTrue);
    if (!isSourceVisible && peers.record) peers.record.readSource = 'own-not-shared';
    const sourcePlan = isSourceVisible ? plan(own.options, own.machine, { rank: peers.source, ranks }) : own;
    return new FileLocations(scratch, own, sourcePlan, { source: isSourceVisible ? source : null, shared });
  }

  /** Returns the location of a phase's files. */
  forPhase(phase: DatasetUse): FileLocation {
    return (
      (this.#isShared(phase) ? this.#shared : this.#isUsing(phase) ? this.#source : null) ?? this.#scratch
    );
  }

  /** Returns the workers' assignments in a phase, with the paths of their files. */
  assignments(phase: DatasetUse & Pick<Phase, 'runBy'>, index: number): Assignments {
    const plan = this.#isUsing(phase) ? this.#sourcePlan : this.#plan;
    const steps = phase.access === 'creates' ? undefined : this.#createdSteps.get(phase.dataset);
    const assignments = steps === undefined ? plan.assignments[index] : limitAssignments(phase, plan, steps);
    return (assignments ?? []).map(this.forPhase(phase).resolvePaths);
  }

  /** If --stonewall stopped this phase, later phases use only as much of each thread's data as every thread created. */
  async recordCreatedSteps(
    { dataset }: DatasetUse,
    { stonewall }: Measurement,
    peers: PeerGroup,
  ): Promise<void> {
    if (this.#plan.options.stonewall === undefined) return;
    const steps = await peers.agree(
      stonewall?.leastSteps ?? Number.MAX_SAFE_INTEGER,
      (all) => minMax(all).min,
    );
    if (steps < Number.MAX_SAFE_INTEGER) this.#createdSteps.set(dataset, steps);
    else this.#createdSteps.delete(dataset);
  }

  /** The data files that may be in this host's page cache: those it writes and those it reads. */
  get cachedFiles(): Pick<FileLocation, 'files' | 'displayPath'> {
    const fileLocations: readonly FileLocation[] = [
      ...new Set([
        this.forPhase({ dataset: 'data', access: 'creates' }),
        this.forPhase({ dataset: 'data', access: 'uses' }),
      ]),
    ];
    const displayPath = (file: string) =>
      fileLocations.find(({ files }) => files.includes(file))?.displayPath(file) ?? file;
    return { files: fileLocations.flatMap(({ files }) => files), displayPath };
  }

  async close(): Promise<void> {
    await this.#source?.close();
    await this.#shared?.close();
  }

  #isShared({ dataset }: DatasetUse): boolean {
    const { sharedFile, sharedDir } = this.#plan.options;
    return dataset === 'data' ? sharedFile : sharedDir;
  }

  #isUsing({ access }: DatasetUse): boolean {
    return access === 'uses';
  }
}

function areAllTrue(all: readonly boolean[]): boolean {
  return all.every(Boolean);
}

function notSharedError({ directory, options }: RunPlan): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    msg`${flag(options.sharedFile ? 'sharedFile' : 'sharedDir')}: not all ranks share ${flag('dir', directory)}`,
    msg`pass a ${flag('dir')} on a filesystem that all hosts share, or leave out ${flag(options.sharedFile ? 'sharedFile' : 'sharedDir')}`,
  );
}
