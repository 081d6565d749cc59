import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../support/root.js';
import { command, installInto, packInto } from './project.js';

const PATIENCE_MS = 180_000;

const work = mkdtempSync(path.join(os.tmpdir(), 'gobonnie-package-'));
const project = path.join(work, 'project');
let tarball = '';

beforeAll(() => {
  tarball = packInto(work);
  installInto(project, tarball);
}, PATIENCE_MS);

afterAll(() => rmSync(work, { recursive: true }));

test('publint finds no problem in the package', () => {
  expect(command('npx', ['publint', '--strict', tarball], ROOT)).toContain('All good!');
});

test('the types of the package resolve wherever an ESM package can be imported', () => {
  // If anything is wrong that the profile does not exclude, it fails, and this throws.
  const report = command('npx', ['attw', '--profile', 'esm-only', tarball], ROOT);
  expect(report).toMatch(/node16 \(from ESM\).*🟢 \(ESM\)/);
  expect(report).toMatch(/bundler.*🟢/);
});

test('the tarball holds the program, and no sources or tests', () => {
  const files = command('tar', ['-tzf', tarball], work).split('\n');
  expect(files).toContain('package/dist/worker.cjs');
  expect(files).toContain('package/dist/src/index.d.ts');
  expect(files).toContain('package/schema/gobonnie-config.schema.json');
  expect(files.filter((file) => /\/(test|bench|node_modules)\/|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test.each(['commander', 'zod'])('the licence of %s is at the top of the files that contain it', (name) => {
  const program = path.join(project, 'node_modules/gobonnie/dist/program');
  const licence = readFileSync(path.join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
  const sign = { commander: 'commander.helpDisplayed', zod: '"$ZodError"' }[name] ?? '';
  const files = readdirSync(program).map((file) => readFileSync(path.join(program, file), 'utf8'));
  const containing = files.filter((text) => text.includes(sign));
  expect(containing).not.toEqual([]);
  for (const text of containing) expect(text).toContain(licence);
});

test('npx gobonnie measures in a project that only installed the tarball', () => {
  const stdout = command('npx', ['gobonnie', '--size', '0.02', '--iops-duration', '0.2', '--json'], project);
  const [result] = JSON.parse(stdout).results;
  expect(result.write_bytes).toBe(result.read_bytes);
  expect(result.iops).toBeGreaterThan(0);
});

/** Compiles a user's program as strictly as possible, our own declarations included. */
function compile(file: string, moduleKind: string, moduleResolution: string): string {
  return command(
    path.join(ROOT, 'node_modules/.bin/tsc'),
    [
      ...[
        '--noEmit',
        '--declaration',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
      ],
      ...['--module', moduleKind, '--moduleResolution', moduleResolution],
      ...['--target', 'es2023', '--lib', 'es2023', '--types', 'node'],
      ...['--typeRoots', path.join(ROOT, 'node_modules/@types'), file],
    ],
    project,
  );
}

test.each([
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])(
  'a TypeScript program that uses all of the library compiles with module %s and resolution %s',
  (...how) => {
    cpSync(path.join(ROOT, 'test/package/consumer.ts'), path.join(project, 'consumer.ts'));
    expect(compile('consumer.ts', ...how)).toBe('');
  },
);

test('a TypeScript program that misuses the library does not compile', () => {
  writeFileSync(
    path.join(project, 'misuse.ts'),
    "import { run } from 'gobonnie';\nawait run({ size: [] });\n",
  );
  expect(() => compile('misuse.ts', 'node16', 'node16')).toThrow(
    expect.objectContaining({ stdout: expect.stringMatching(/^misuse\.ts\(2,\d+\): error TS2322/) }),
  );
});

test('package-lock.json names no registry', () => {
  expect(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(
    /"resolved"|https?:\/\/registry/,
  );
});
