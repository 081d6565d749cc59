import { GobonnieError } from '../../errors.js';
import { planText } from '../../format/human/plan-text.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import type { RunPlan } from '../../plan/plan.js';
import { preflight } from '../../run/preflight.js';
import { stringifySafely } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import type { CliOptions } from '../argv/cli-options.js';
import { OutFile } from '../files/out-file.js';
import { createStallDetector } from '../interruption.js';
import { removalLine } from '../output/log-format.js';
import type { Terminal } from '../output/terminal.js';

interface PreflightOptions {
  /** Changes nothing; keeps even leftover files of killed runs. */
  readonly dryRun?: boolean;
  /** True for the ancestors' commands, which reject a missing directory: its disk may not be mounted. */
  readonly needsDirectory?: boolean | undefined;
  readonly signal?: AbortSignal;
}

/** Inspects the machine and removes leftovers of killed runs from the directory. */
export async function runPreflight(
  options: Options,
  { dryRun = false, needsDirectory = false, signal }: PreflightOptions,
  log: (line: string) => void,
): Promise<Machine> {
  const stallDetector = createStallDetector(options.stallTimeout, log, signal);
  const machine = await preflight(
    options.dir,
    stallDetector,
    dryRun ? null : (removal) => log(removalLine(removal)),
  );
  const { exists, directory } = machine.target;
  if (needsDirectory && !exists)
    throw new GobonnieError(
      'directory-unusable',
      msg`${flag('dir', directory)} does not exist`,
      'pass an existing directory; perhaps its disk is not mounted',
    );
  return machine;
}

/** Prints the plans for --dry-run, which rejects everything that a run would reject. */
export async function printPlans(
  plans: readonly RunPlan[],
  { out }: CliOptions,
  printsJson: boolean,
  terminal: Terminal,
): Promise<void> {
  for (const file of out) await OutFile.validate(file);
  for (const printedPlan of plans)
    terminal.print(printsJson ? stringifySafely(printedPlan) : planText(printedPlan));
}
