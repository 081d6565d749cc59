import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 180_000;

const work = mkdtempSync(path.join(os.tmpdir(), 'gobonnie-package-'));
const project = path.join(work, 'project');
let tarball = '';

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  // The build is there already; packing must not make it anew under the feet of other tests.
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], ROOT);
  tarball = path.join(work, String(JSON.parse(packed)[0]?.filename));
  mkdirSync(project);
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({ name: 'empty', private: true, type: 'module' }),
  );
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], project);
}, PATIENCE_MS);

afterAll(() => rmSync(work, { recursive: true }));

test('publint finds nothing to complain about', () => {
  expect(run('npx', ['publint', '--strict', tarball], ROOT)).toContain('All good!');
});

test('the types resolve wherever an ESM package can be imported', () => {
  // It exits with an error, which throws here, when anything is wrong in what the profile does not leave out.
  const report = run('npx', ['attw', '--profile', 'esm-only', tarball], ROOT);
  expect(report).toMatch(/node16 \(from ESM\).*🟢 \(ESM\)/);
  expect(report).toMatch(/bundler.*🟢/);
});

test('the tarball holds what runs, and no sources or tests', () => {
  const files = run('tar', ['-tzf', tarball], work).split('\n');
  expect(files).toContain('package/dist/worker.cjs');
  expect(files).toContain('package/dist/src/index.d.ts');
  expect(files.filter((file) => /\/(test|bench|node_modules)\/|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('the program says whose code it holds', () => {
  const program = readFileSync(path.join(project, 'node_modules/gobonnie/dist/gobonnie.cjs'), 'utf8');
  for (const name of ['commander', 'zod']) {
    expect(program).toContain(readFileSync(path.join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8'));
  }
});

test('npx gobonnie measures in a project that only installed the tarball', () => {
  const stdout = run('npx', ['gobonnie', '--size', '0.02', '--iops-duration', '0.2', '--json'], project);
  const [result] = JSON.parse(stdout).results;
  expect(result.write_bytes).toBe(result.read_bytes);
  expect(result.iops).toBeGreaterThan(0);
});

test('a TypeScript program that imports the library compiles, and one that misuses it does not', () => {
  const program = (size: string) => `
    import { run, reportSchema, GobonnieError, type Report } from 'gobonnie';
    const report: Report = await run({ size: ${size}, threads: 2 }, { onEvent: (event) => event.type });
    const iops: number | undefined = report.runs[0]?.measurements.at(-1)?.operationsPerSecond;
    if (report.outcome.state === 'failed') throw new Error(report.outcome.hint);
    export { iops, reportSchema, GobonnieError };
  `;
  writeFileSync(path.join(project, 'good.ts'), program('0.5'));
  writeFileSync(path.join(project, 'bad.ts'), program('[]'));
  const compile = (file: string) =>
    run(
      path.join(ROOT, 'node_modules/.bin/tsc'),
      [
        ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'],
        ...['--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules/@types'), file],
      ],
      project,
    );
  expect(compile('good.ts')).toBe('');
  expect(() => compile('bad.ts')).toThrow();
});

test('package-lock.json names no registry', () => {
  expect(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(
    /"resolved"|https?:\/\/registry/,
  );
});
