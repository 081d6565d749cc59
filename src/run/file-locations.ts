import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Dataset, isTreeDataset, type Phase } from '../../workers/phases/phase.js';
import type { WorkerTally } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { countDataFiles } from '../plan/files.js';
import { plan, type RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import { limitAssignments } from '../plan/stonewall-plan.js';
import { type FileLocation, findFileLocation, resolvePaths, SCRATCH_NAME } from '../scratch/file-location.js';
import type { Scratch } from '../scratch/scratch.js';
import { flag, msg } from '../text/message-template.js';
import type { PeerGroup } from './peer-group.js';

/** The bytes or the number of files of a dataset that each thread has created. */
type CreatedAmounts = Map<Dataset, readonly number[]>;
type DatasetUse = Pick<Phase, 'dataset' | 'access'>;

export type FileLocations = Awaited<ReturnType<typeof findFileLocations>>;

/** Finds where this process creates files, and where it uses files: in a job, another rank may have created them. */
export async function findFileLocations(own: RunPlan, scratch: Scratch, peers: PeerGroup | undefined) {
  const others = peers && (await findOtherRanks(own, scratch, peers));
  const { sharedFile, sharedDir, stonewall } = own.options;
  /** Empty without --stonewall, because then all files are complete. */
  const createdAmounts: CreatedAmounts = new Map();
  /** The amounts of the rank whose files this one uses. */
  const sourceAmounts: CreatedAmounts = new Map();

  const forPhase = ({ dataset, access }: DatasetUse): FileLocation => {
    const isShared = dataset === 'data' ? sharedFile : isTreeDataset(dataset) && sharedDir;
    const usedSource = access === 'uses' ? others?.source : null;
    return (isShared ? others?.shared : usedSource) ?? scratch;
  };

  return {
    forPhase,

    /** Returns a step of the plan, with the paths of the workers' files, limited to these amounts of each thread. */
    locate(step: Step, limit?: readonly number[]): Step {
      const { phase } = step;
      const isUsing = phase.access === 'uses';
      const plan = (isUsing && others?.sourcePlan) || own;
      const amounts = limit ?? (isUsing ? sourceAmounts : createdAmounts).get(phase.dataset);
      const sourceStep = plan.steps[own.steps.indexOf(step)] ?? step;
      const work =
        phase.access === 'creates' || !amounts
          ? sourceStep.assignments
          : limitAssignments(sourceStep, plan, amounts);
      const { directory } = forPhase(phase);
      return { ...step, assignments: work.map((one) => resolvePaths(directory, one)) };
    },

    /** Returns the amount that each thread has created. Later phases use only that, because --stonewall may have stopped it. */
    recordCreated({ dataset }: DatasetUse, tallies: readonly WorkerTally[]): readonly number[] | undefined {
      if (stonewall === undefined) return undefined;
      const amounts = tallies.map(({ writtenBytes, operations }) =>
        dataset === 'data' ? writtenBytes : operations,
      );
      createdAmounts.set(dataset, amounts);
      sourceAmounts.set(dataset, amounts);
      return amounts;
    },

    /** Records the amounts of the rank whose files this one uses. */
    recordSourceCreated({ dataset }: DatasetUse, amounts: readonly number[] | undefined): void {
      if (amounts && others?.source) sourceAmounts.set(dataset, amounts);
    },

    /** Returns the data files that may be in this host's page cache: those it writes and those it reads. */
    listCached(): readonly string[] {
      const written = forPhase({ dataset: 'data', access: 'creates' });
      const read = forPhase({ dataset: 'data', access: 'uses' });
      return [...new Set([...written.files, ...read.files])];
    },
  };
}

/**
 * Returns the plan of the rank whose files this one uses, and its directory; null if that is this rank's own. `shared` is
 * the directory of rank 0, which has the files that all ranks share.
 */
async function findOtherRanks(own: RunPlan, scratch: Scratch, peers: PeerGroup) {
  const { rank, ranks } = own.jobPosition;
  const usesSharedFiles = own.options.sharedFile || own.options.sharedDir;
  const directories = await peers.shareDirectory(path.basename(scratch.directory.path), (names) => {
    const areVisible = names.every(
      (name) => SCRATCH_NAME.test(name) && existsSync(path.join(own.directory, name)),
    );
    if (!areVisible && usesSharedFiles) throw notSharedError(own);
    return areVisible;
  });
  if (!directories) return null;
  const find = async (from: number, name: string) => {
    if (from === rank) return null;
    const location = await findFileLocation(own.directory, name, countDataFiles(own.slices));
    if (!location) throw notSharedError(own);
    return location;
  };
  const { source, sourceName, firstName } = directories;
  return {
    sourcePlan: plan(own.options, own.machine, { rank: source, ranks }),
    source: await find(source, sourceName),
    shared: usesSharedFiles ? await find(0, firstName) : null,
  };
}

function notSharedError({ directory, options }: RunPlan): GobonnieError {
  const name = (['sharedFile', 'sharedDir'] as const).find((one) => options[one]);
  const problem = msg`not all ranks share ${flag('dir', directory)}`;
  const instead = name ? msg`leave out ${flag(name)}` : msg`pass ${flag('readOwnFiles')}`;
  return new GobonnieError(
    'directory-unusable',
    name ? msg`${flag(name)}: ${problem}` : problem,
    msg`pass a ${flag('dir')} on a filesystem that all hosts share, or ${instead}`,
  );
}
