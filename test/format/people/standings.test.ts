import { describe, expect, test } from 'vitest';
import { compareSubjects } from '../../../src/compare/comparison.js';
import { standingsSchema } from '../../../src/compare/documents.js';
import { standingsOf } from '../../../src/compare/standings.js';
import type { MetricSample, Subject } from '../../../src/compare/subject.js';
import { standingsFormatsIn } from '../../../src/format/people/standings.js';
import { paintFor } from '../../../src/format/writing/paint.js';

function subject(name: string, ...samples: readonly MetricSample[]): Subject {
  return { name, facts: [[]], samples, timedBecause: null };
}

function sample(name: string, values: readonly number[]): MetricSample {
  return {
    ...{ name, unit: 'bytesPerSecond', better: 'more', role: 'judged' },
    ...{ values, timed: values, isOfDisk: true, isOnlyTimed: false },
  };
}

const disk = subject('/disk', sample('write', [100e6, 106e6, 95e6]), sample('read', [100e6, 60e6, 140e6]));
const memory = subject('/memory', sample('write', [2e9, 2.1e9, 1.9e9]), sample('read', [99e6, 61e6, 139e6]));
const standings = [
  [compareSubjects(disk, memory, { method: 'paired', maxRegressionPercent: null })],
  standingsOf([disk, memory]),
] as const;

test('the JSON matches its schema, and nothing is lost', () => {
  const document = JSON.parse(standingsFormatsIn(paintFor(false)).json(...standings));
  expect(standingsSchema.parse(document)).toEqual(document);
  expect(document.comparisons).toMatchObject([
    { maxRegressionPercent: null, changes: [{ verdict: null }, { verdict: null }] },
  ]);
});

describe('in colour', () => {
  const { text, json, markdown } = standingsFormatsIn(paintFor(true));

  test('only the line of a winner is coloured', () => {
    const lines = text(...standings).split('\n');
    const painted = lines.filter((line) => line.includes('\u001b'));
    expect(painted).toEqual([
      expect.stringMatching(/^\p{Cc}\[32mwrite: \/memory wins, ahead of \/disk by \+.+\p{Cc}\[39m$/u),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^read: no winner: /));
  });

  test.each([['json', json] as const, ['markdown', markdown] as const])('%s has no colours', (_, render) => {
    expect(render(...standings)).not.toContain('\u001b');
  });
});
