import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { retryWhileBusySync } from '../files/busy-file.js';
import { modulesDirectory } from '../files/project-tree.js';
import { requireToolDirectory, toolPhase } from '../files/tool-files.js';
import { mayContinue, OPERATIONS } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

const WITH_TYPES = { withFileTypes: true } as const;

/** Removes a project's packages with the calls of `rm -rf`. */
export const clean: Phase = {
  ...toolPhase,
  name: 'clean',
  title: 'Clean',
  amountLabel: 'deleted',
  dataset: 'project',
  access: 'deletes',
  runBy: () => 1,
  prepare: prepareClean,
};

function prepareClean(context: PhaseContext): PreparedPhase {
  const { flags, progress, latency } = context;
  const { root } = requireToolDirectory(context);
  let current = '';
  let operations = 0;

  /** Returns false if it was stopped, which leaves the directory with its other entries. */
  function remove(directory: string): boolean {
    lstatSync(directory);
    for (const entry of readdirSync(directory, WITH_TYPES)) {
      if (!mayContinue(flags, operations)) return false;
      const path = [directory, entry.name].join('/');
      if (entry.isDirectory()) {
        if (!remove(path)) return false;
        continue;
      }
      current = path;
      const startNs = latency.begin();
      retryWhileBusySync(() => unlinkSync(path));
      latency.end(startNs);
      operations++;
      progress[OPERATIONS] = operations;
    }
    rmdirSync(directory);
    return true;
  }

  return {
    run() {
      remove(modulesDirectory(root));
    },
    close() {},
    currentFile: () => current,
  };
}
