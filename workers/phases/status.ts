import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { countProjectFiles, newDirectories, readProjectIndex } from '../files/project-tree.js';
import type { Phase } from './phase.js';
import { type ToolThread, toolPhase } from './tool-phase.js';

/** git's limits: a thread for every 500 files, at most 20. */
const FILES_PER_THREAD = 500;
const MAX_THREADS = 20;

/** Looks at every file and reads every directory with git's calls: what `git status` does if nothing has changed. */
export const status = toolPhase(
  {
    name: 'status',
    title: 'git status',
    amountLabel: 'statted',
    dataset: 'project',
    access: 'uses',
    runBy: gitThreads,
  },
  prepareStatus,
);

/** The same after the cache of files, directories and their inodes was dropped. */
export const statusCold: Phase = {
  ...status,
  name: 'status-cold',
  title: 'git status, cold',
  coldCache: true,
};

export function gitThreads(files: number): number {
  return Math.max(1, Math.min(MAX_THREADS, Math.floor(files / FILES_PER_THREAD)));
}

function prepareStatus(thread: ToolThread): () => void {
  const { worker, tickets } = thread.context;
  const { root, packages, installedFiles } = thread.directory;
  const threads = gitThreads(countProjectFiles(packages));
  // Like git, each thread has a contiguous part of the index.
  const paths = readProjectIndex(root, worker, installedFiles);
  const entered = newDirectories(root, paths);
  const parts = Array.from({ length: worker === 0 ? threads : 0 }, (_, part) => part);
  const all = parts.flatMap((part) => readProjectIndex(root, part, installedFiles));
  const directories = newDirectories(root, all).flat();
  const parents = new Set(directories.map((directory) => dirname(directory)));
  return () => {
    try {
      for (let at = 0; at < paths.length && thread.mayContinue(); at++) {
        const path = paths[at] ?? '';
        thread.begin(path);
        // git looks at the directories that a path enters before its file.
        for (const directory of entered[at] ?? []) lstatSync(directory);
        lstatSync(path);
        thread.end();
      }
    } finally {
      Atomics.add(tickets, 0, 1);
      Atomics.notify(tickets, 0);
    }
    if (worker > 0) return;
    for (let done = 0; done < threads; done = Atomics.load(tickets, 0)) Atomics.wait(tickets, 0, done);
    // git's main thread reads the directories after its other threads have ended.
    for (const directory of directories) {
      if (!thread.visit(directory)) return;
      if (parents.has(directory)) existsSync(`${directory}/.gitignore`);
      readdirSync(directory);
    }
  };
}
