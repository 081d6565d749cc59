import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../support/tool.js';
import { COURSES, type Course } from './course.js';
import { breakCall } from './fault.js';
import { KIND_NAMES, type Kind } from './kind.js';
import { survey } from './survey.js';
import { described, type Target } from './target.js';
import { complaintsOf } from './verdict.js';

const LEAST = 150;
/** Each run mostly waits. */
const AT_ONCE = 3;
const PATIENCE_MS = 600_000;

const surveys = new Map<Course, Promise<readonly Target[]>>();
let ran = 0;
let held = 0;

async function targetsOf(kind: Kind): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const course of COURSES.filter(({ kinds }) => kinds.includes(kind))) {
    const surveyed = surveys.get(course) ?? survey(course);
    surveys.set(course, surveyed);
    targets.push(...(await surveyed).filter((target) => target.kind === kind));
  }
  return targets;
}

/** Returns the broken promises. A run in which another call failed, or none, does not count. */
async function judge(target: Target): Promise<readonly string[]> {
  const broken = await breakCall(target);
  if (!broken.call) {
    console.log(`missed: ${described(target)}\n${broken.log}`);
    return [];
  }
  const complaints = complaintsOf(broken, broken.call);
  ran++;
  if (complaints.length === 0) held++;
  return complaints.map((complaint) => `${described(target)}: ${complaint}`);
}

describe('a failed call ends the run with one line, no figure of its phase and no files left:', () => {
  beforeEach(needs('root', 'strace', 'dd'));
  afterAll(() => console.log(`injected faults: ${ran} ran, ${held} held`));

  test.each(KIND_NAMES)(
    '%s, the first and the last of each phase, and one in between without other flags',
    async (kind) => {
      const left = [...(await targetsOf(kind))];
      const complaints: string[] = [];
      const takeTurns = async () => {
        for (let target = left.shift(); target; target = left.shift())
          complaints.push(...(await judge(target)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
      expect(complaints).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(`at least ${LEAST} calls were made to fail`, () => {
    expect(ran).toBeGreaterThanOrEqual(LEAST);
  });
});
