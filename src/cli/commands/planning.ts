import { GobonnieError } from '../../errors.js';
import { planJson, planText } from '../../format/people/plan.js';
import type { Options } from '../../options/schema.js';
import { type Plan, plan } from '../../plan/plan.js';
import { survey } from '../../run/survey.js';
import { flag, sentence } from '../../text/sentence.js';
import type { Presentation } from '../argv/presentation.js';
import { OutFile } from '../files/out-file.js';
import { stallWatch } from '../interruption.js';
import type { Terminal } from '../output/terminal.js';
import { clearedLine } from './clean.js';

interface Planning {
  /** Leaves everything as it is, even leftover files of killed runs. */
  readonly dryRun?: boolean;
  /** The ancestors do not make the directory, so that a disk that is not mounted is noticed. */
  readonly needsDirectory?: boolean | undefined;
  readonly signal?: AbortSignal;
}

/** Looks at the machine, removes what killed runs have left in the directory, and plans. */
export async function planned(
  options: Options,
  { dryRun = false, needsDirectory = false, signal }: Planning,
  say: (line: string) => void,
): Promise<Plan> {
  const stalls = stallWatch(options.stallTimeout, say, signal);
  const machine = await survey(options.dir, stalls, dryRun ? null : (one) => say(clearedLine(one)));
  const { exists, directory } = machine.target;
  if (needsDirectory && !exists)
    throw new GobonnieError(
      'directory-unusable',
      sentence`${flag('dir', directory)} does not exist`,
      'pass an existing directory; perhaps its disk is not mounted',
    );
  return plan(options, machine);
}

/** For --dry-run, which refuses what a run would refuse. */
export async function printPlans(
  plans: readonly Plan[],
  { out }: Presentation,
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  for (const file of out) await OutFile.judge(file);
  for (const one of plans) terminal.answer(asJson ? planJson(one) : planText(one));
}
