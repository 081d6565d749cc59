import type { CorruptFile } from './corrupt-file.js';
import type { SampleFile } from './sample-files.js';

const HUGE = '9'.repeat(308);

/** A number in a sample file, and a replacement that is impossible as a result or an option. */
const REJECTED: Readonly<Record<string, readonly (readonly [number: RegExp, replacement: string])[]>> = {
  report: [
    [/"dataFilesPerThread":\d+/, '"dataFilesPerThread":0'],
    [/"threads":\d+/, '"threads":-1'],
    [/"sizeBytes":\d+/, '"sizeBytes":-1'],
    [/"blockSizeBytes":\d+/, '"blockSizeBytes":0'],
    [/"seed":\d+/, '"seed":-1'],
    [/"runs":\d+/, '"runs":0'],
    [/"max":\d+/, '"max":-1'],
    [/"count":\d+/, '"count":-1'],
    [/"bytesPerSecond":[\d.]+/, '"bytesPerSecond":-1'],
    [/"coefficientOfVariation":[\d.e-]+/, `"coefficientOfVariation":${Number.MAX_VALUE}`],
  ],
  "gobonniego's document": [
    [/"write_megabytes_per_second":[\d.]+/, `"write_megabytes_per_second":${HUGE}`],
    [/"disk_space_used_gib":[\d.]+/, `"disk_space_used_gib":${HUGE}`],
    [/"num_readers_and_writers":\d+/, '"num_readers_and_writers":0'],
    [/"io_seconds":[\d.]+/, '"io_seconds":-0.5'],
  ],
  'CSV of 1.03': [
    [/,18951,/, `,${HUGE},`],
    [/,16:/, `,${HUGE}:`],
    [/,1G:/, `,${HUGE}G:`],
  ],
  'CSV of 1.98': [
    [/,330783,/, `,${HUGE},`],
    [/,16,1000,/, `,${HUGE},1000,`],
    [/,8192,/, `,${HUGE},`],
    [/,864us,/, `,${HUGE}s,`],
  ],
  "Bray's table": [[/ 3618 /, ` ${HUGE} `]],
  "Garloff's table": [[/3\*1024/, `3*${HUGE}`]],
};

/** Data about the seeks in a table's header, which gobonnie may ignore. */
const SHOWN: typeof REJECTED = {
  "Garloff's table": [
    [/04k/, `${HUGE}k`],
    [/\(03\)/, `(${HUGE})`],
  ],
};

/** Returns files with numbers that would be infinite or negative in other formats. */
export function outOfRangeFiles(sampleFiles: readonly SampleFile[]): readonly CorruptFile[] {
  const createFiles = (rows: typeof REJECTED, outcome: CorruptFile['outcome']) =>
    sampleFiles.flatMap(({ name, text }) =>
      (rows[name] ?? []).map(([number, replacement]): CorruptFile => {
        if (!number.test(text)) throw new Error(`${name} has no ${number}`);
        return {
          name: `${name}: ${replacement.slice(0, 60)}`,
          content: text.replace(number, replacement),
          outcome,
        };
      }),
    );
  return [...createFiles(REJECTED, 'rejected'), ...createFiles(SHOWN, 'shown')];
}
