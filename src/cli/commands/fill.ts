import * as z from 'zod';
import { optionError } from '../../errors.js';
import { fillText } from '../../format/human/commands/fill-text.js';
import { fromTime } from '../../options/field-schemas.js';
import { MAX_DURATION_SECONDS } from '../../options/option-catalogue.js';
import { inGroup, seconds, switchRow } from '../../options/option-row.js';
import { pause, type StepInput } from '../../options/options-schema.js';
import { parseOptions } from '../../options/validate-options.js';
import { estimateSeconds, estimateWrittenBytes, TYPICAL_DISKS } from '../../plan/estimate.js';
import type { RunPlan } from '../../plan/plan.js';
import type { Report } from '../../report/schema/report.js';
import { formatBytes, formatSeconds, GIB, MIB } from '../../text/units.js';
import { expectRow, type RawOptions } from '../argv/cli-catalogue.js';
import { defineStepCommand } from './step-command.js';

const BLOCK_BYTES = 4 * MIB;
const PAUSE_SECONDS = 30;
const RECOVERY = { seconds: 5, size: 2 } as const;
/** Without a terminal, a larger amount needs --yes. */
const MAX_UNASKED_BYTES = 16 * GIB;
/** Vendors of consumer SSDs guarantee about so many writes of the whole disk. */
const TYPICAL_FULL_WRITES = 600;

const FILL_OPTIONS = inGroup('What to measure', {
  pause: {
    ...seconds({ min: 0, max: MAX_DURATION_SECONDS, default: PAUSE_SECONDS, example: '120' }),
    help: 'if the rate falls, wait S seconds and write again, to see whether it recovers; 0 does not',
  },
  yes: switchRow(`write more than ${formatBytes(MAX_UNASKED_BYTES)} without a terminal`),
});

export const fill = defineStepCommand({
  name: 'gobonnie fill',
  description:
    'Fills the free space of a disk and reads everything back. Shows after which amount the rate falls, and to what, and ' +
    'finds disks that lose data or are smaller than they say.',
  options: FILL_OPTIONS,
  without: ['unique', 'verify'],
  changes: {
    size: { defaultText: 'all free space but 1 GiB or 5 %; 1 GiB in memory' },
    expect: expectRow('"fill>=100MB/s"'),
  },
  isSingleRun: true,
  examples: [
    { command: 'gobonnie fill --dir /mnt/stick', comment: 'all free space but 1 GiB or 5 %' },
    { command: 'gobonnie fill --size 8', comment: 'only 8 GiB' },
    { command: 'gobonnie fill --size 64 --yes --expect "fill>=100MB/s"', comment: 'in a script' },
  ],
  notes:
    'Leaves 1 GiB free, or 5 % of a small disk. Every block is different and has its place in it. After each of up to ' +
    '1,000 files, gobonnie reads samples of the earlier ones, so a fake disk is named soon after its real end. Filling a ' +
    'fake disk may overwrite other files on it: save them first.',
  request({ pause, yes, ...rawOptions }) {
    return {
      rawOptions,
      defaults: { direct: true, steps: fillSteps({ pause }) },
      isStepNeeded,
      announce: (planned, process) => {
        const isAsked = yes === true || process.stderr.isTTY === true || rawOptions.dryRun === true;
        if (!isAsked && planned.totalBytes > MAX_UNASKED_BYTES)
          throw optionError(
            `fill would write ${formatBytes(planned.totalBytes)}`,
            'add --yes to confirm, or pass a smaller --size',
          );
        return announcement(planned);
      },
      createFormat: (screen) => ({ end: (report) => fillText(report, screen) }),
    };
  },
});

const RECOVERY_STEP = 'after-pause';

const fillSchema = z.object({ pause: fromTime(pause.default(PAUSE_SECONDS)) });

function fillSteps(raw: RawOptions): StepInput[] {
  const { pause } = parseOptions(fillSchema, FILL_OPTIONS, raw);
  const load = { threads: 1, depth: 1, blockSize: BLOCK_BYTES };
  return [
    { ...load, phase: 'fill', name: 'fill' },
    ...(pause > 0 ? [{ ...load, ...RECOVERY, phase: 'write' as const, name: RECOVERY_STEP, pause }] : []),
    { ...load, phase: 'read', name: 'read-back', seconds: MAX_DURATION_SECONDS },
  ];
}

/** Without a cliff, there is nothing to recover from. */
function isStepNeeded(step: string, { runs }: Report): boolean {
  return step !== RECOVERY_STEP || runs.some(({ measurements }) => measurements[0]?.cliff);
}

function announcement(planned: RunPlan): string {
  const { totalBytes, machine } = planned;
  const { target } = machine;
  const certain = { ...planned, steps: planned.steps.filter(({ name }) => name !== RECOVERY_STEP) };
  const times = Object.values(TYPICAL_DISKS).map(
    (disk) => `${formatSeconds(estimateSeconds(disk, certain, 1))} on ${disk.name}`,
  );
  const lifeShare = totalBytes / (target.disk?.sizeBytes ?? target.totalBytes) / TYPICAL_FULL_WRITES;
  const again = planned.steps.find(({ name }) => name === RECOVERY_STEP);
  const recoveryText = `up to ${formatBytes(estimateWrittenBytes(planned, 1) - totalBytes)} more`;
  const recovery = again
    ? `; if the rate falls, ${recoveryText} after a pause of ${formatSeconds(again.pauseSeconds)}`
    : '';
  return (
    `writes ${formatBytes(totalBytes)} and reads it back: roughly ${times.join(', ')}; that is about ` +
    `${Number((lifeShare * 100).toPrecision(1))} % of what an SSD of this size lasts for (${TYPICAL_FULL_WRITES} times its size)${recovery}`
  );
}
