import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { retryWhileBusySync } from '../files/busy-file.js';
import { modulesDirectory } from '../files/project-tree.js';
import { type ToolThread, toolPhase } from './tool-phase.js';

/** Removes a project's packages with the calls of `rm -rf`. */
export const clean = toolPhase(
  { name: 'clean', title: 'Clean', amountLabel: 'deleted', dataset: 'project', access: 'deletes' },
  (thread) => () => removeTree(modulesDirectory(thread.directory.root), thread),
);

/** Returns false if it was stopped, which leaves the directory with its other entries. */
function removeTree(directory: string, thread: ToolThread): boolean {
  lstatSync(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!thread.mayContinue()) return false;
    const path = [directory, entry.name].join('/');
    if (entry.isDirectory()) {
      if (!removeTree(path, thread)) return false;
      continue;
    }
    thread.begin(path);
    retryWhileBusySync(() => unlinkSync(path));
    thread.end();
  }
  rmdirSync(directory);
  return true;
}
