import { lstatSync, readdirSync } from 'node:fs';
import { countProjectFiles, generateProject, projectDirectories } from '../files/project-tree.js';
import { requireToolDirectory, toolPhase } from '../files/tool-files.js';
import { mayContinue, OPERATIONS, POSITION } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

/** git's limits: a thread for every 500 files, at most 20. */
const FILES_PER_THREAD = 500;
const MAX_THREADS = 20;

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
  const { worker, flags, tickets, progress, latency } = context;
  const { root, packages, createdFiles = countProjectFiles(packages) } = requireToolDirectory(context);
  const files = generateProject(root, packages).slice(0, createdFiles);
  const directories = projectDirectories(root, files);
  const threads = gitThreads(files.length);
  // Like git, each thread has a contiguous part of the index.
  const length = Math.ceil(files.length / threads);
  const paths = files
    .map(({ path }) => path)
    .sort()
    .slice(worker * length, (worker + 1) * length);
  let current = '';
  return {
    run() {
      let operations = 0;
      for (const path of paths) {
        if (!mayContinue(flags, operations)) break;
        current = path;
        const startNs = latency.begin();
        lstatSync(path);
        latency.end(startNs);
        operations++;
        progress[OPERATIONS] = operations;
      }
      const isLast = Atomics.add(tickets, 0, 1) === threads - 1;
      if (!isLast) return;
      // git's main thread reads the directories after its other threads have ended.
      for (const [index, directory] of directories.entries()) {
        if (!mayContinue(flags, operations)) return;
        current = directory;
        readdirSync(directory);
        progress[POSITION] = index;
      }
    },
    close() {},
    currentFile: () => current,
  };
}
