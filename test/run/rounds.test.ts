import { expect, test } from 'vitest';
import { measureInTurn } from '../../src/run/repeat.js';

test('sides are measured in turn in alternating order, until the caller has enough rounds', async () => {
  const order: string[] = [];
  const measure = async (side: string, round: number) => order.push(`${side}${round}`) > 0;
  for await (const { round } of measureInTurn(['a', 'b', 'c'], measure)) if (round === 3) break;
  expect(order).toEqual(['a1', 'b1', 'c1', 'c2', 'b2', 'a2', 'a3', 'b3', 'c3']);
});

test('rounds end as soon as a side could not be measured', async () => {
  const rounds: number[] = [];
  const measure = async (side: string, round: number) => round < 2 || side === 'b';
  for await (const { round } of measureInTurn(['a', 'b'], measure)) rounds.push(round);
  expect(rounds).toEqual([1]);
});
