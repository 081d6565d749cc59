import { expect, test } from 'vitest';
import { text } from '../../../src/format/people/text.js';
import type { RunResult } from '../../../src/report/results.js';
import { MB } from '../../../src/text/units.js';
import { phaseNamed } from '../../../workers/phases/catalogue.js';
import { measurementWith } from '../../support/data/fixtures.js';
import { foreignRunWith, perSecond } from '../../support/data/foreign-runs.js';

const printed = (runs: readonly RunResult[]) => text.render?.([{ report: null, runs }]);

test('every figure is a line, in one order, called as when it is measured', () => {
  const names = [
    ...['putc', 'write', 'rewrite', 'getc', 'read', 'seeks', 'iops', 'create', 'stat', 'delete'],
    ...['create-random', 'stat-random', 'delete-random'],
  ];
  const figures = Object.fromEntries(
    names.map((name, index) => {
      const { figure } = phaseNamed(name);
      return [name, { rate: (index + 1) * (figure === 'bytes' ? MB : 1) }];
    }),
  );
  expect(printed([foreignRunWith({ figures })])).toBe(
    names
      .map((name, index) => {
        const { title, figure } = phaseNamed(name);
        return figure === 'bytes' ? `${title} MB/s: ${index + 1}.00\n` : `${title}: ${index + 1}\n`;
      })
      .join(''),
  );
});

test.each([
  [122.14, '122.1'],
  [9, '9'],
  [999.96, '1000'],
  [1504.4, '1504'],
  [66_666, '66666'],
  [null, 'too quick to measure'],
])('%s operations a second are told as %s', (rate, told) => {
  const seeks = { rate: rate };
  expect(printed([foreignRunWith({ figures: { seeks } })])).toBe(`Random Seeks: ${told}\n`);
});

test('of several runs each is headed by what is known of it', () => {
  const figures = { seeks: perSecond(10, 1) };
  const runs = [
    foreignRunWith({ label: 'gum07.', program: { name: 'bonnie', version: null }, figures }),
    foreignRunWith({ label: 'my host', program: { name: 'bonnie++', version: '2.00a' }, figures }),
    foreignRunWith({
      label: '',
      program: { name: 'gobonniego', version: '1.0.9' },
      startedAt: '2018-04-12T13:46:00.274Z',
      figures,
    }),
  ];
  expect(printed(runs)).toBe(
    [
      'gum07., bonnie:',
      'Random Seeks: 10',
      '"my host", bonnie++ 2.00a:',
      'Random Seeks: 10',
      'gobonniego 1.0.9, 2018-04-12T13:46:00.274Z:',
      'Random Seeks: 10',
      '',
    ].join('\n'),
  );
});

test('neither a label nor a title can steer a terminal', () => {
  const evil = foreignRunWith({
    label: '\u001b]0;x\u0007',
    program: { name: 'bonnie++', version: '\u009b2J' },
  });
  expect(printed([evil, evil])).toMatch(/^("\\u001b\]0;x\\u0007", bonnie\+\+ "\\u009b2J":\n){2}$/);
  expect(text.phase?.(measurementWith({ title: 'Rewrite\u001b[2J\u202e' }))).toBe(
    'Rewrite?[2J? MB/s: 1073.74\n',
  );
});
