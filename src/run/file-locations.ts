import path from 'node:path';
import { type Dataset, isTreeDataset, type Phase } from '../../workers/phases/phase.js';
import type { WorkerTally } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { countDataFiles } from '../plan/files.js';
import { plan, type RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import { limitAssignments } from '../plan/stonewall-plan.js';
import { type FileLocation, findFileLocation, resolvePaths } from '../scratch/file-location.js';
import type { Scratch } from '../scratch/scratch.js';
import { flag, msg } from '../text/message-template.js';
import type { PeerGroup } from './peer-group.js';

/** The bytes or the number of files of a dataset that each thread has created. */
type CreatedAmounts = Map<Dataset, readonly number[]>;
type DatasetUse = Pick<Phase, 'dataset' | 'access'>;

export type FileLocations = Awaited<ReturnType<typeof findFileLocations>>;

/** Finds where this process creates files, and where it uses files: in a job, another rank may have created them. */
export async function findFileLocations(own: RunPlan, scratch: Scratch, peers: PeerGroup) {
  const { sourcePlan, source, shared } = await findOtherRanks(own, scratch, peers);
  const { sharedFile, sharedDir, stonewall } = own.options;
  /** Empty without --stonewall, because then all files are complete. */
  const createdAmounts: CreatedAmounts = new Map();
  /** The amounts of the rank whose files this one uses. */
  const sourceAmounts: CreatedAmounts = new Map();

  const forPhase = ({ dataset, access }: DatasetUse): FileLocation => {
    const isShared = dataset === 'data' ? sharedFile : isTreeDataset(dataset) && sharedDir;
    const usedSource = access === 'uses' ? source : null;
    return (isShared ? shared : usedSource) ?? scratch;
  };

  return {
    forPhase,

    /** Returns a step of the plan, with the paths of the workers' files, limited to these amounts of each thread. */
    locate(step: Step, limit?: readonly number[]): Step {
      const { phase } = step;
      const isUsing = phase.access === 'uses';
      const plan = isUsing ? sourcePlan : own;
      const amounts = limit ?? (isUsing ? sourceAmounts : createdAmounts).get(phase.dataset);
      const sourceStep = plan.steps[own.steps.indexOf(step)] ?? step;
      const work =
        phase.access === 'creates' || !amounts
          ? sourceStep.assignments
          : limitAssignments(sourceStep, plan, amounts);
      const { directory } = forPhase(phase);
      return { ...step, assignments: work.map((one) => resolvePaths(directory, one)) };
    },

    /** Records what each thread has created, because --stonewall may have stopped it: later phases use only that. */
    recordCreated({ dataset }: DatasetUse, tallies: readonly WorkerTally[]): void {
      if (stonewall === undefined) return;
      const amounts = tallies.map(({ writtenBytes, operations }) =>
        dataset === 'data' ? writtenBytes : operations,
      );
      createdAmounts.set(dataset, amounts);
    },

    /** Call on all ranks after a phase that creates files: gets the amounts of the rank whose files this one uses. */
    async exchangeCreated({ dataset }: DatasetUse): Promise<void> {
      const amounts = createdAmounts.get(dataset);
      if (!amounts) return;
      const [text] = await peers.share(amounts.join(' '), [peers.source]);
      sourceAmounts.set(dataset, text === undefined ? amounts : text.split(' ').map(Number));
    },

    /** Returns the locations of the data files that may be in this host's page cache: those it writes and those it reads. */
    listCached(): readonly FileLocation[] {
      const written = forPhase({ dataset: 'data', access: 'creates' });
      const read = forPhase({ dataset: 'data', access: 'uses' });
      return read === written ? [written] : [written, read];
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await source?.directory[Symbol.asyncDispose]();
      await shared?.directory[Symbol.asyncDispose]();
    },
  };
}

/**
 * Returns the plan of the rank whose files this one uses, and its directory; null if that is this rank's own. `shared` is
 * the directory of rank 0, which has the files that all ranks share.
 */
async function findOtherRanks(own: RunPlan, scratch: Scratch, peers: PeerGroup) {
  const { rank, ranks } = own.jobPosition;
  const alone = { sourcePlan: own, source: null, shared: null };
  if (ranks === 1) return alone;
  const { sharedFile, sharedDir } = own.options;
  const find = async (from: number, name: string) =>
    from === rank ? null : findFileLocation(own.directory, name, countDataFiles(own.slices));
  const scratchName = path.basename(scratch.directory.path);
  const [firstName, sourceName] = await peers.share(scratchName, [0, peers.source]);
  // After an abort nothing is measured, so any location will do.
  if (firstName === undefined || sourceName === undefined) return alone;
  const shared = await find(0, firstName);
  const source = await find(peers.source, sourceName);
  const isSharedVisible = await peers.agree(rank === 0 || shared !== null, areAllTrue);
  if (!isSharedVisible && (sharedFile || sharedDir)) throw notSharedError(own);
  const isSourceVisible = await peers.agree(peers.source === rank || source !== null, areAllTrue);
  if (!isSourceVisible && peers.record) peers.record.readSource = 'own-not-shared';
  if (!isSourceVisible) return { ...alone, shared };
  const sourcePlan = plan(own.options, own.machine, { rank: peers.source, ranks });
  return { sourcePlan, source, shared };
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
