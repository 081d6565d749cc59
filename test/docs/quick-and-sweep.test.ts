import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DISK_KINDS, INTERFACES } from '../../src/rating/rating.js';
import { formatNs } from '../../src/text/units.js';
import { ROOT } from '../support/root.js';

const TABLE = /(?<=<!-- (interfaces|kinds): begin .*-->\n\n)[\s\S]*?(?=\n<!-- \1: end -->)/g;
const TABLES = {
  interfaces: [
    '| interface | Mbit/s in /sys | MB/s at most | source |\n| --- | ---: | ---: | --- |\n',
    ...INTERFACES.map(({ name, transport, megabitsPerSecond, megabytesPerSecond, source }) => {
      const show = (perLane: number) => perLane.toLocaleString('en');
      const lanes = transport === 'nvme' ? ` a lane, ${show(megabytesPerSecond * 4)} with 4` : '';
      return `| ${name} | ${show(megabitsPerSecond)} | ${show(megabytesPerSecond)}${lanes} | ${source} |\n`;
    }),
  ],
  kinds: [
    '| kind | `rotational` | transport | usual median | source |\n| --- | --- | --- | --- | --- |\n',
    ...DISK_KINDS.map(({ name, rotational, transports, fromNs, belowNs, source }) => {
      const bit = rotational === null ? '0 or 1' : Number(rotational);
      const range = `${formatNs(fromNs)} to ${formatNs(belowNs)}`;
      return `| ${name.replace(/^an? /, '')} | ${bit} | ${transports.join(', ')} | ${range} | ${source} |\n`;
    }),
  ],
};

test('docs/quick-and-sweep.md has the numbers of the code, with their sources', async () => {
  const page = readFileSync(path.join(ROOT, 'docs/quick-and-sweep.md'), 'utf8');
  expect(page.match(TABLE)).toHaveLength(2);
  const renewed = page.replace(TABLE, (_, table: keyof typeof TABLES) => TABLES[table].join(''));
  await expect(renewed).toMatchFileSnapshot('../../docs/quick-and-sweep.md');
});
