import type { OptionsInput } from '../../../src/options/judge.js';
import { type Circumstances, warningsOf } from '../../../src/report/measure/warnings.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import { systemHint } from '../../../src/system-error.js';
import { measurementWith, planWith } from '../../support/fixtures.js';

const DISK: Circumstances = {
  filesystem: 'ext4',
  mountOptions: ['rw'],
  isMemory: false,
  moves: 'blocks',
  direct: false,
};
const UNSERVED = { ...measurementWith().device, share: 0 };
const CLIFF = { atSeconds: 1, beforePerSecond: 2, afterPerSecond: 1 };

/** What comes up with any dialect: each is told by a sentence of gobonnie's, in gobonnie's flags. */
const TROUBLES: readonly Partial<Measurement>[] = [
  { readBytes: 1, device: UNSERVED },
  { device: UNSERVED },
  { cliff: CLIFF } as Partial<Measurement>,
  { seconds: 1, host: { busyShare: 1, stealShare: 0 } },
  { seconds: 1, host: { busyShare: 1, stealShare: 1 } },
];
const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'EACCES', 'EROFS', 'EIO', 'ESTALE'];

/** What gobonnie may say of a benchmark with these options that names flags, before a dialect puts it in its words. */
export function sentencesOf(input: OptionsInput): readonly string[] {
  const said = [
    ...TROUBLES.flatMap((facts) => warningsOf(measurementWith(facts), DISK)),
    ...planWith(input, { target: { compression: 'zstd', isMemory: true } }).warnings,
  ];
  const hints = CODES.map((code) => systemHint({ code, message: '' }));
  return [...said.map(({ message, hint }) => `${message}; ${hint}`), ...hints].filter((sentence) =>
    /--[a-z]/.test(sentence),
  );
}
