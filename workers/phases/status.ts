import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { countProjectFiles, projectDirectories, readProjectIndex } from '../files/project-tree.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';
import { requireToolDirectory, ToolOperations, toolPhase } from './tool-phase.js';

/** git's limits: a thread for every 500 files, at most 20. */
const FILES_PER_THREAD = 500;
const MAX_THREADS = 20;
/** After these, Node has compiled the call. git is compiled before it starts. */
const WARM_UP_CALLS = 3000;

/** Looks at every file and reads every directory with git's calls: what `git status` does if nothing has changed. */
export const status: Phase = {
  ...toolPhase,
  name: 'status',
  title: 'Status',
  amountLabel: 'statted',
  dataset: 'project',
  access: 'uses',
  runBy: gitThreads,
  prepare: prepareStatus,
};

/** The same after the cache of files, directories and their inodes was dropped. */
export const statusCold: Phase = { ...status, name: 'status-cold', title: 'Cold Status', coldCache: true };

function gitThreads(files: number): number {
  return Math.max(1, Math.min(MAX_THREADS, Math.floor(files / FILES_PER_THREAD)));
}

function prepareStatus(context: PhaseContext): PreparedPhase {
  const { worker, tickets } = context;
  const { root, packages, createdFiles = countProjectFiles(packages) } = requireToolDirectory(context);
  const all = [...readProjectIndex(root, createdFiles)].sort();
  const directories = projectDirectories(root, all);
  const threads = gitThreads(all.length);
  // Like git, each thread has a contiguous part of the index.
  const length = Math.ceil(all.length / threads);
  const paths = all.slice(worker * length, (worker + 1) * length);
  const operations = new ToolOperations(context);
  for (let call = 0; call < WARM_UP_CALLS; call++) lstatSync(root);
  return operations.prepared(() => {
    for (const path of paths) {
      if (!operations.mayContinue()) break;
      operations.begin(path);
      lstatSync(path);
      operations.end();
    }
    const isLast = Atomics.add(tickets, 0, 1) === threads - 1;
    // git's main thread reads the directories after its other threads have ended.
    for (const directory of isLast ? directories : []) {
      if (!operations.visit(directory)) return;
      lstatSync(directory);
      existsSync(`${directory}/.gitignore`);
      readdirSync(directory);
    }
  });
}
