import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/version.js';
import { makeDirectory } from '../support/disks/directory.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { ROOT } from '../support/root.js';
import { packedProject } from './project.js';

type Inputs = Readonly<Record<string, string>>;
type Step = { readonly env: Inputs; readonly run: string };

const { inputs: declared, runs } = parse(readFileSync(path.join(ROOT, 'action.yml'), 'utf8'));
const [install, run]: readonly [Step, Step] = runs.steps;

const { tarball } = packedProject();
const temporary = path.join(path.dirname(tarball), 'runner temp');

const FILES = ['output', 'summary'];
const RUNNER = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' };

/** Runs a step like GitHub's runner, and reads the files that it writes. */
function runStep({ env, run }: Step, inputs: Inputs) {
  const cwd = mkdtempSync(path.join(temporary, 'workspace-'));
  for (const name of FILES) writeFileSync(path.join(cwd, name), '');
  const values = Object.entries(env).map(([name, expression]) => {
    const input = expression.replace(/^\$\{\{ inputs\.(.*) \}\}$/, '$1');
    return [name, inputs[input] ?? declared[input].default ?? ''];
  });
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...RUNNER, RUNNER_TEMP: temporary, ...Object.fromEntries(values) },
  });
  const [output = '', summary] = FILES.map((name) => readFileSync(path.join(cwd, name), 'utf8'));
  const json = /^json=(.*)$/m.exec(output)?.[1] ?? '';
  const passed = output.match(/^passed=.*$/gm)?.at(-1);
  return { status, stderr, summary, json, passed, names: readdirSync(cwd) };
}

beforeAll(() => {
  mkdirSync(temporary);
  expect(runStep(install, { version: tarball })).toMatchObject({ status: 0 });
}, 180_000);

const SMALL = { size: '0.02', args: '--iops-duration 0.2 --allow-cached' };

test('the action outputs the path of the report and passed=true, and passes on spaces, quotes and $(…) as they are', () => {
  const dir = path.join(makeDirectory(), `a "disk's" $(touch injected); \`touch injected\``);
  mkdirSync(dir);
  const args = `${SMALL.args}\n--label 'my "disk" $(touch injected)'`;
  // The first run of a workflow has no baseline yet.
  const limit = { 'max-regression': '99%' };
  const first = runStep(run, { ...SMALL, ...limit, dir, args, expect: '\nwrite>=1B/s\n  iops > 0\n' });
  expect([first.status, first.passed], first.stderr).toEqual([0, 'passed=true']);
  const { label, target, expectations } = readReportFile(first.json);
  expect([label, path.dirname(target.scratchDirectory)]).toEqual(['my "disk" $(touch injected)', dir]);
  expect(expectations?.map(({ condition }) => condition)).toEqual(['write>=1B/s', 'iops > 0']);
  expect(first.summary).toContain('| Sequential Write |');
  expect(first.names).toEqual(FILES);
  const once = `${SMALL.args} --runs 1`;
  const second = runStep(run, { ...SMALL, ...limit, dir, args: once, baseline: first.json });
  expect([second.status, second.stderr]).toEqual([0, expect.stringMatching(/^this run/)]);
});

test.each([
  [{ size: '1; touch injected' }, 2, '::error title=gobonnie%3A usage error::invalid --size "1; touch'],
  [{ preset: '--help' }, 2, '--preset has no value; '],
  [{ baseline: 'no such file.json' }, 2, '--baseline "no such file.json" cannot be read: '],
  [{ args: "--label 'my disk" }, 1, 'unmatched single quote'],
  [{ ...SMALL, expect: 'write>=999TB/s' }, 3, '✗ write>=999TB/s: '],
])('the action with %j fails with exit code %i and passed=false', (inputs, exitCode, message) => {
  const { status, stderr, json, passed } = runStep(run, inputs);
  expect([status, passed, stderr]).toEqual([exitCode, 'passed=false', expect.stringContaining(message)]);
  expect(json !== '').toBe(exitCode === 3);
});

test('without a size, the action measures phases that need none', () => {
  const { status, stderr, json } = runStep(run, { args: '--phases create,delete --files 16' });
  expect(status, stderr).toBe(0);
  expect(readReportFile(json).runs[0]?.measurements).toHaveLength(2);
});

test('the action installs the major version of its package, and no script contains an expression', () => {
  expect(declared.version.default).toBe(version.split('.')[0]);
  expect(install.run + run.run).not.toContain('${{');
});
