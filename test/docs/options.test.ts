import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { optionRows } from '../../src/cli/argv/cli-catalogue.js';
import { toFlagsRows } from '../../src/cli/argv/option.js';
import { OPTION_GROUPS, type OptionGroup } from '../../src/options/option-row.js';
import { toKebabCase } from '../../src/text/message-template.js';
import { FIO_NAMES } from '../../src/text/suggest.js';
import { ROOT } from '../support/root.js';

test('docs/options.md has every option of --help, with its default and the same text', async () => {
  const page = readFileSync(path.join(ROOT, 'docs/options.md'), 'utf8');
  const tables = OPTION_GROUPS.map(renderTable).filter((table) => table !== '');
  const renewed = page.replace(
    /(?<=<!-- options: begin .*-->\n\n)[\s\S]*(?=\n<!-- options: end -->)/,
    tables.join('\n'),
  );
  await expect(renewed).toMatchFileSnapshot('../../docs/options.md');
});

test('each option of fio in docs/fio.md gets a hint', () => {
  const page = readFileSync(path.join(ROOT, 'docs/fio.md'), 'utf8');
  const cells = page.match(/^(?:fio .*|\|[^|]*)/gm)?.join('\n') ?? '';
  const known = [...FIO_NAMES, ...Object.keys(optionRows).map(toKebabCase)];
  expect([...cells.matchAll(/--(\w[\w-]*)/g)].filter(([, name = '']) => !known.includes(name))).toEqual([]);
});

function renderTable(group: OptionGroup): string {
  const rows = toFlagsRows(optionRows).filter((row) => row.group === group);
  if (rows.length === 0) return '';
  const lines = rows.map(({ flags, help, defaultText = flags.includes('<') ? '' : 'off' }) => {
    return `| \`${flags}\` | ${defaultText} | ${help} |\n`;
  });
  return `### ${group}\n\n| option | default | |\n| --- | --- | --- |\n${lines.join('')}`;
}
