import { countProjectFiles } from '../files/project-tree.js';
import { OPERATIONS, SYNCING } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';
import { requireToolDirectory, syncFilesystem, ToolOperations, toolPhase } from './tool-phase.js';

/** Syncs what the installation has left in the page cache: npm never syncs. */
export const flush: Phase = {
  ...toolPhase,
  name: 'flush',
  title: 'Flush',
  amountLabel: 'flushed',
  dataset: 'project',
  access: 'uses',
  runBy: () => 1,
  prepare: prepareFlush,
};

function prepareFlush(context: PhaseContext): PreparedPhase {
  const { progress } = context;
  const { root, packages, createdFiles = countProjectFiles(packages) } = requireToolDirectory(context);
  return new ToolOperations(context).prepared(() => {
    progress[SYNCING] = 1;
    syncFilesystem(root);
    progress[SYNCING] = 0;
    progress[OPERATIONS] = createdFiles;
  });
}
