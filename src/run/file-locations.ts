import path from 'node:path';
import { type Dataset, isTreeDataset, type Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { WorkerTally } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { countDataFiles } from '../plan/files.js';
import { plan, type RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import { limitAssignments } from '../plan/stonewall-plan.js';
import { FileLocation } from '../scratch/file-location.js';
import type { Scratch } from '../scratch/scratch.js';
import { flag, msg } from '../text/message-template.js';
import type { PeerGroup } from './peer-group.js';

/** The bytes or the number of files of a dataset that each thread has created. */
type CreatedAmounts = Map<Dataset, readonly number[]>;
type DatasetUse = Pick<Phase, 'dataset' | 'access'>;

interface OtherRanks {
  /** The plan of the rank whose files this one uses. */
  readonly sourcePlan: RunPlan;
  /** The directory of that rank. Null if it is this rank's own. */
  readonly source: FileLocation | null;
  /** The directory of rank 0, which has the files that all ranks share. */
  readonly shared: FileLocation | null;
}

/** Where this process creates files, and where it uses files: in a job, another rank may have created them. */
export class FileLocations {
  readonly #scratch: Scratch;
  readonly #plan: RunPlan;
  readonly #others: OtherRanks;
  /** Empty without --stonewall, because then all files are complete. */
  readonly #createdAmounts: CreatedAmounts = new Map();
  /** The amounts of the rank whose files this one uses. */
  readonly #sourceAmounts: CreatedAmounts = new Map();

  private constructor(scratch: Scratch, plan: RunPlan, others: Partial<OtherRanks> = {}) {
    this.#scratch = scratch;
    this.#plan = plan;
    this.#others = { sourcePlan: plan, source: null, shared: null, ...others };
  }

  static async find(own: RunPlan, scratch: Scratch, peers: PeerGroup): Promise<FileLocations> {
    const { rank, ranks } = own.jobPosition;
    if (ranks === 1) return new FileLocations(scratch, own);
    const { sharedFile, sharedDir } = own.options;
    const find = async (from: number, name: string) =>
      from === rank ? null : FileLocation.find(own.directory, name, countDataFiles(own.slices));
    const names = await peers.share(path.basename(scratch.directory.path), [0, peers.source]);
    const [firstName, sourceName] = names;
    // After an abort nothing is measured, so any location will do.
    if (firstName === undefined || sourceName === undefined) return new FileLocations(scratch, own);
    const shared = await find(0, firstName);
    const source = await find(peers.source, sourceName);
    const isSharedVisible = await peers.agree(rank === 0 || shared !== null, areAllTrue);
    if (!isSharedVisible && (sharedFile || sharedDir)) throw notSharedError(own);
    const isSourceVisible = await peers.agree(peers.source === rank || source !== null, areAllTrue);
    if (!isSourceVisible && peers.record) peers.record.readSource = 'own-not-shared';
    if (!isSourceVisible) return new FileLocations(scratch, own, { shared });
    const sourcePlan = plan(own.options, own.machine, { rank: peers.source, ranks });
    return new FileLocations(scratch, own, { sourcePlan, source, shared });
  }

  forPhase(phase: DatasetUse): FileLocation {
    const { sharedFile, sharedDir } = this.#plan.options;
    const isShared = phase.dataset === 'data' ? sharedFile : isTreeDataset(phase.dataset) && sharedDir;
    const source = phase.access === 'uses' ? this.#others.source : null;
    return (isShared ? this.#others.shared : source) ?? this.#scratch;
  }

  /** Returns a step of the plan, with the paths of the workers' files, limited to these amounts of each thread. */
  locate(step: Step, limit?: readonly number[]): Step {
    const phase = getPhase(step.phase);
    const isUsing = phase.access === 'uses';
    const plan = isUsing ? this.#others.sourcePlan : this.#plan;
    const amounts = limit ?? (isUsing ? this.#sourceAmounts : this.#createdAmounts).get(phase.dataset);
    const sourceStep = plan.steps[this.#plan.steps.indexOf(step)] ?? step;
    const work =
      phase.access === 'creates' || !amounts
        ? sourceStep.assignments
        : limitAssignments(sourceStep, plan, amounts);
    return { ...step, assignments: work.map(this.forPhase(phase).resolvePaths) };
  }

  /** Records what each thread has created, because --stonewall may have stopped it: later phases use only that. */
  recordCreated({ dataset }: DatasetUse, tallies: readonly WorkerTally[]): void {
    if (this.#plan.options.stonewall === undefined) return;
    const amounts = tallies.map(({ writtenBytes, operations }) =>
      dataset === 'data' ? writtenBytes : operations,
    );
    this.#createdAmounts.set(dataset, amounts);
  }

  /** Call on all ranks after a phase that creates files: gets the amounts of the rank whose files this one uses. */
  async exchangeCreated({ dataset }: DatasetUse, peers: PeerGroup): Promise<void> {
    const own = this.#createdAmounts.get(dataset);
    if (!own) return;
    const [text] = await peers.share(own.join(' '), [peers.source]);
    this.#sourceAmounts.set(dataset, text === undefined ? own : text.split(' ').map(Number));
  }

  /** The locations of the data files that may be in this host's page cache: those it writes and those it reads. */
  get cached(): readonly FileLocation[] {
    const written = this.forPhase({ dataset: 'data', access: 'creates' });
    const read = this.forPhase({ dataset: 'data', access: 'uses' });
    return read === written ? [written] : [written, read];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#others.source?.[Symbol.asyncDispose]();
    await this.#others.shared?.[Symbol.asyncDispose]();
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
