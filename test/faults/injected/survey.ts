import { type Call, callsOf, likeness, pathBelow } from './call.js';
import { argsOf, type Course, tellsFigure, turnsOf } from './course.js';
import { KINDS } from './kind.js';
import { contentOf, makeSite, type Site } from './site.js';
import { startSubject } from './subject.js';
import type { Role, Target } from './target.js';

type Candidate = Omit<Target, 'place'>;

/** Calls that a timed phase makes on any machine: the number of its last call is chance. */
const EARLY = [0, 1, 4];
const TIMED = 'iops';

/** Runs the course without a fault; returns the chosen calls of each kind in each phase. */
export async function survey(course: Course): Promise<readonly Target[]> {
  const site = makeSite(course.parent);
  const names = [...new Set(Object.values(KINDS).flat()), 'write'].map((name) => `?${name}`);
  const tracing = ['-f', '--seccomp-bpf', '-e', `trace=${names.join()}`];
  const exitCode = await startSubject(tracing, argsOf(course, site), site).ended;
  if (exitCode !== 0) throw new Error(`${course.name} cannot be surveyed: ${contentOf(site.stderr)}`);
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidatesOf(course, site, callsOf(contentOf(site.log)))) {
    const { figures, role, call } = candidate;
    const key = `${figures} ${role} ${call}`;
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return [...groups.values()].flatMap(chosenOf);
}

/** Every call on the run's own files that can be distinguished from those of other threads. */
function* candidatesOf(course: Course, site: Site, calls: readonly Call[]): Generator<Candidate> {
  const roles = rolesOf(site, calls);
  const turns = turnsOf(course);
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  let figures = 0;
  // The number of calls that a worker makes in a timed phase is chance, and so is every count after it.
  let isChance = false;
  for (const call of calls) {
    if (figures < turns.length && tellsFigure(course, site, call)) {
      isChance ||= turns[figures] === TIMED;
      figures++;
      if (course.since === 'result') counts.clear();
    }
    const counter = `${call.tid} ${call.name}`;
    const number = (counts.get(counter) ?? 0) + 1;
    counts.set(counter, number);
    const isTaken = taken.has(`${call.name} ${number}`);
    taken.add(`${call.name} ${number}`);

    const role = roles.get(call.tid);
    const kind = course.kinds.find((name) => KINDS[name].some((known) => known === call.name));
    const path = pathBelow(site.home, call);
    if (!role || !kind || path === null) continue;
    // After the last figure workers only measure the speed of memory, which is unknown if a call fails.
    if (role === 'worker' && figures === turns.length) continue;
    const isSure = course.since === 'result' ? figures > 0 : !isTaken && !(isChance && role === 'worker');
    if (isSure)
      yield { course, figures, role, kind, call: call.name, number, file: likeness(site.home, path) };
  }
}

/** The pool creates the files, the worker writes to them. */
function rolesOf({ disk }: Site, calls: readonly Call[]): ReadonlyMap<string | null, Role> {
  const of = (name: string) =>
    calls.find((call) => call.name === name && pathBelow(disk, call)?.includes('/bonnie.'))?.tid ?? null;
  return new Map([
    [of('openat'), 'pool'],
    [of('pwrite64'), 'worker'],
  ]);
}

function chosenOf(group: readonly Candidate[]): readonly Target[] {
  const [first] = group;
  if (!first) return [];
  const { course, figures, role, call } = first;
  const isTimed =
    turnsOf(course)[figures] === TIMED && role === 'worker' && call !== 'openat' && call !== 'close';
  const last = group.length - 1;
  const indexes = isTimed ? EARLY : [0, Math.floor(last / 2), last];
  return [...new Set(indexes)].flatMap((index) => {
    const candidate = group[index];
    const place = index === 0 ? 'first' : index === last ? 'last' : 'middle';
    return candidate && course.places.includes(place) ? [{ ...candidate, place } as const] : [];
  });
}
