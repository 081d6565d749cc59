import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.js';
import { packedProject, runCommand } from './project.js';

const { project, tarball } = packedProject();

test('publint finds no problem in the package', () => {
  expect(runCommand('npx', ['publint', '--strict', tarball], ROOT)).toContain('All good!');
});

test('the types of the package resolve in every environment that can import an ESM package', () => {
  // Throws if attw fails, which it does for every problem that the profile does not exclude.
  const report = runCommand('npx', ['attw', '--profile', 'esm-only', tarball], ROOT);
  expect(report).toMatch(/node16 \(from ESM\).*🟢 \(ESM\)/);
  expect(report).toMatch(/bundler.*🟢/);
});

const NEWEST = path.join(ROOT, 'node_modules/.bin/tsc');
/** attw's TypeScript 5, without the type parameters of typed arrays, which TypeScript 5.7 added. */
const OLDER = path.join(ROOT, 'node_modules/@arethetypeswrong/core/node_modules/typescript/bin/tsc');

/** Two opposite environments: `AbortSignal` comes from @types/node or from the browser types. */
const ENVIRONMENTS = [
  {
    name: 'the newest TypeScript with modules of Node',
    tsc: NEWEST,
    version: /^Version [7-9]\./,
    options: [
      ...['--module', 'node16', '--lib', 'es2023', '--types', 'node'],
      ...['--typeRoots', path.join(ROOT, 'node_modules/@types')],
    ],
  },
  {
    name: 'TypeScript 5.6, for a bundler and without @types/node',
    tsc: OLDER,
    version: /^Version 5\.6\./,
    options: ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom'],
  },
];
/** As strict as possible, including gobonnie's declarations. */
const STRICT = [
  ...['--noEmit', '--declaration', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--target', 'es2023'],
];

test.each(ENVIRONMENTS)(
  'a TypeScript program that uses the whole library compiles with $name, and an error in it is found',
  ({ tsc, version, options }) => {
    cpSync(path.join(ROOT, 'test/package/consumer.ts'), path.join(project, 'consumer.ts'));
    expect(runCommand(tsc, ['--version'], project)).toMatch(version);
    expect(runCommand(tsc, [...STRICT, ...options, 'consumer.ts'], project)).toBe('');
  },
);
