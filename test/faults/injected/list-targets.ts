import { createRunFiles, type RunFiles, readText } from './run-files.js';
import { buildArgs, phaseSequence, printsResult, type Scenario } from './scenario.js';
import { KINDS } from './syscall-kind.js';
import type { Role, Target } from './target.js';
import { findPathBelow, normalizePath, parseCalls, type TracedCall } from './traced-call.js';
import { startTracedRun } from './traced-run.js';

type Candidate = Omit<Target, 'position'>;

/** Calls that a timed phase makes on any machine: the number of its last call is chance. */
const EARLY = [0, 1, 4];
const TIMED = 'iops';

/** Runs the course without a fault; returns the chosen calls of each kind in each phase. */
export async function listTargets(scenario: Scenario): Promise<readonly Target[]> {
  const files = createRunFiles(scenario.parent);
  const names = [...new Set(Object.values(KINDS).flat()), 'write'].map((name) => `?${name}`);
  const tracing = ['-f', '--seccomp-bpf', '-e', `trace=${names.join()}`];
  const exitCode = await startTracedRun(tracing, buildArgs(scenario, files), files).ended;
  if (exitCode !== 0) throw new Error(`${scenario.name} cannot be surveyed: ${readText(files.stderr)}`);
  const groups = new Map<string, Candidate[]>();
  for (const candidate of findCandidates(scenario, files, parseCalls(readText(files.log)))) {
    const { figures, role, call } = candidate;
    const key = `${figures} ${role} ${call}`;
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return [...groups.values()].flatMap(chooseTargets);
}

/** Every call on the run's own files that can be distinguished from those of other threads. */
function* findCandidates(
  scenario: Scenario,
  files: RunFiles,
  calls: readonly TracedCall[],
): Generator<Candidate> {
  const roles = findRoles(files, calls);
  const turns = phaseSequence(scenario);
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  let figures = 0;
  // The number of calls that a worker makes in a timed phase is chance, and so is every count after it.
  let isChance = false;
  for (const call of calls) {
    if (figures < turns.length && printsResult(scenario, files, call)) {
      isChance ||= turns[figures] === TIMED;
      figures++;
      if (scenario.since === 'result') counts.clear();
    }
    const counter = `${call.tid} ${call.name}`;
    const number = (counts.get(counter) ?? 0) + 1;
    counts.set(counter, number);
    const isTaken = taken.has(`${call.name} ${number}`);
    taken.add(`${call.name} ${number}`);

    const role = roles.get(call.tid);
    const kind = scenario.kinds.find((name) => KINDS[name].some((known) => known === call.name));
    const path = findPathBelow(files.home, call);
    if (!role || !kind || path === null) continue;
    // After the last figure workers only measure the speed of memory, which is unknown if a call fails.
    if (role === 'worker' && figures === turns.length) continue;
    const isSure = scenario.since === 'result' ? figures > 0 : !isTaken && !(isChance && role === 'worker');
    if (isSure)
      yield { scenario, figures, role, kind, call: call.name, number, file: normalizePath(files.home, path) };
  }
}

/** The pool creates the files, the worker writes to them. */
function findRoles({ disk }: RunFiles, calls: readonly TracedCall[]): ReadonlyMap<string | null, Role> {
  const threadOf = (name: string) =>
    calls.find((call) => call.name === name && findPathBelow(disk, call)?.includes('/bonnie.'))?.tid ?? null;
  return new Map([
    [threadOf('openat'), 'pool'],
    [threadOf('pwrite64'), 'worker'],
  ]);
}

function chooseTargets(group: readonly Candidate[]): readonly Target[] {
  const [first] = group;
  if (!first) return [];
  const { scenario, figures, role, call } = first;
  const isTimed =
    phaseSequence(scenario)[figures] === TIMED && role === 'worker' && call !== 'openat' && call !== 'close';
  const last = group.length - 1;
  const indexes = isTimed ? EARLY : [0, Math.floor(last / 2), last];
  return [...new Set(indexes)].flatMap((index) => {
    const candidate = group[index];
    const position = index === 0 ? 'first' : index === last ? 'last' : 'middle';
    return candidate && scenario.positions.includes(position) ? [{ ...candidate, position } as const] : [];
  });
}
