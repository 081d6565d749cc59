import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { retryWhileBusySync } from '../files/busy-file.js';
import { modulesDirectory } from '../files/project-tree.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';
import { requireToolDirectory, ToolOperations, toolPhase } from './tool-phase.js';

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
  const { root } = requireToolDirectory(context);
  const operations = new ToolOperations(context);

  /** Returns false if it was stopped, which leaves the directory with its other entries. */
  function remove(directory: string): boolean {
    lstatSync(directory);
    for (const entry of readdirSync(directory, WITH_TYPES)) {
      if (!operations.mayContinue()) return false;
      const path = [directory, entry.name].join('/');
      if (entry.isDirectory()) {
        if (!remove(path)) return false;
        continue;
      }
      operations.begin(path);
      retryWhileBusySync(() => unlinkSync(path));
      operations.end();
    }
    rmdirSync(directory);
    return true;
  }

  return operations.prepared(() => {
    remove(modulesDirectory(root));
  });
}
