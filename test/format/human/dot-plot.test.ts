import { expect, test } from 'vitest';
import { dotPlot } from '../../../src/format/human/dot-plot.js';
import { type Axis, linearScale } from '../../../src/format/page/drawing/scale.js';

const axis: Axis = (values, span) => linearScale(values, span, String);

/** Draws a line from the lowest to the highest values of both axes. */
function risingLine(unicode: boolean): readonly string[] {
  const line = [
    [0, 0],
    [10, 10],
  ] as const;
  return dotPlot({ lines: [line], x: axis, y: axis, columns: 20, rows: 4, unicode });
}

test('a rising line goes from the bottom left to the top right', () => {
  expect(risingLine(false).slice(0, 4)).toEqual([
    '10|              ***',
    ' 6|         *****   ',
    ' 2|   ******        ',
    ' 0|***              ',
  ]);
});

test('with Unicode, a character has two by four dots of the line', () => {
  expect(risingLine(true).slice(0, 4)).toEqual([
    '8│             ⢀⣀⠤⠒⠉',
    '6│         ⣀⠤⠔⠊⠁    ',
    '4│    ⢀⡠⠔⠒⠉         ',
    '0│⣀⠤⠒⠉⠁             ',
  ]);
});
