import { createRunFiles, type RunFiles, readText } from './run-files.js';
import { buildArgs, phaseSequence, printsResult, type Scenario } from './scenario.js';
import { KINDS } from './syscall-kind.js';
import type { Role, Target } from './target.js';
import { findPathBelow, normalizePath, parseCalls, type TracedCall } from './traced-call.js';
import { startTracedRun } from './traced-run.js';

type Candidate = Omit<Target, 'position'>;

/** Calls that a timed phase makes on any machine; its last call depends on chance. */
const EARLY = [0, 1, 4];
const TIMED = 'iops';

/** Runs the scenario without a fault; returns the chosen calls of each kind in each phase. */
export async function listTargets(scenario: Scenario): Promise<readonly Target[]> {
  const files = createRunFiles(scenario.parent);
  const names = [...new Set(Object.values(KINDS).flat()), 'write'].map((name) => `?${name}`);
  const tracing = ['-f', '--seccomp-bpf', '-e', `trace=${names.join()}`];
  const exitCode = await startTracedRun(tracing, buildArgs(scenario, files), files).ended;
  if (exitCode !== 0) throw new Error(`${scenario.name} failed without a fault: ${readText(files.stderr)}`);
  const groups = new Map<string, Candidate[]>();
  for (const candidate of findCandidates(scenario, files, parseCalls(readText(files.log)))) {
    const { resultCount, role, call } = candidate;
    const key = `${resultCount} ${role} ${call}`;
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return [...groups.values()].flatMap(chooseTargets);
}

/** Yields every call on the run's own files whose number is the same in every run. */
function* findCandidates(
  scenario: Scenario,
  files: RunFiles,
  calls: readonly TracedCall[],
): Generator<Candidate> {
  const roles = findRoles(files, calls);
  const sequence = phaseSequence(scenario);
  const counts = new Map<string, number>();
  const usedNumbers = new Set<string>();
  let resultCount = 0;
  // A worker's number of calls in a timed phase depends on chance, and so do its later counts.
  let isRandom = false;
  for (const call of calls) {
    if (resultCount < sequence.length && printsResult(scenario, files, call)) {
      isRandom ||= sequence[resultCount] === TIMED;
      resultCount++;
      if (scenario.since === 'result') counts.clear();
    }
    const counter = `${call.tid} ${call.name}`;
    const number = (counts.get(counter) ?? 0) + 1;
    counts.set(counter, number);
    const isUsed = usedNumbers.has(`${call.name} ${number}`);
    usedNumbers.add(`${call.name} ${number}`);

    const role = roles.get(call.tid);
    const kind = scenario.kinds.find((name) => KINDS[name].some((callName) => callName === call.name));
    const path = findPathBelow(files.home, call);
    if (!role || !kind || path === null) continue;
    // After the last result, workers only measure cached reads, which have no rate if a call fails.
    if (role === 'worker' && resultCount === sequence.length) continue;
    const isRepeatable =
      scenario.since === 'result' ? resultCount > 0 : !isUsed && !(isRandom && role === 'worker');
    if (isRepeatable)
      yield {
        scenario,
        resultCount,
        role,
        kind,
        call: call.name,
        number,
        file: normalizePath(files.home, path),
      };
  }
}

/** Identifies the threads: the pool creates the files, and the worker writes to them. */
function findRoles({ disk }: RunFiles, calls: readonly TracedCall[]): ReadonlyMap<string | null, Role> {
  const findThread = (name: string) =>
    calls.find((call) => call.name === name && findPathBelow(disk, call)?.includes('/bonnie.'))?.tid ?? null;
  return new Map([
    [findThread('openat'), 'pool'],
    [findThread('pwrite64'), 'worker'],
  ]);
}

function chooseTargets(group: readonly Candidate[]): readonly Target[] {
  const [first] = group;
  if (!first) return [];
  const { scenario, resultCount, role, call } = first;
  const isTimed =
    phaseSequence(scenario)[resultCount] === TIMED &&
    role === 'worker' &&
    call !== 'openat' &&
    call !== 'close';
  const last = group.length - 1;
  const indexes = isTimed ? EARLY : [0, Math.floor(last / 2), last];
  return [...new Set(indexes)].flatMap((index) => {
    const candidate = group[index];
    const position = index === 0 ? 'first' : index === last ? 'last' : 'middle';
    return candidate && scenario.positions.includes(position) ? [{ ...candidate, position } as const] : [];
  });
}
