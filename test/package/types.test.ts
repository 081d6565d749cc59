import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.js';
import { packedProject, runCommand } from './project.js';

const { project, tarball } = packedProject();

test('publint finds no problem in the package', () => {
  expect(runCommand('npx', ['publint', '--strict', tarball], ROOT)).toContain('All good!');
});

test('the types of the package resolve wherever an ESM package can be imported', () => {
  // If anything is wrong that the profile does not exclude, it fails, and this throws.
  const report = runCommand('npx', ['attw', '--profile', 'esm-only', tarball], ROOT);
  expect(report).toMatch(/node16 \(from ESM\).*🟢 \(ESM\)/);
  expect(report).toMatch(/bundler.*🟢/);
});

const NEWEST = path.join(ROOT, 'node_modules/.bin/tsc');
/** A TypeScript 5 that attw brings. It does not know the type parameters that TypeScript 5.7 gave to typed arrays. */
const OLDER = path.join(ROOT, 'node_modules/@arethetypeswrong/core/node_modules/typescript/bin/tsc');

/** Where a user's program has `AbortSignal` from: @types/node, or else the types of browsers. */
const WITH_NODE = [
  '--lib',
  'es2023',
  '--types',
  'node',
  '--typeRoots',
  path.join(ROOT, 'node_modules/@types'),
];
const WITHOUT_NODE = ['--lib', 'es2023,dom'];

/** Compiles a user's program as strictly as possible, our own declarations included. */
function compile(
  file: string,
  moduleKind: string,
  moduleResolution: string,
  types = WITH_NODE,
  tsc = NEWEST,
): string {
  return runCommand(
    tsc,
    [
      ...[
        '--noEmit',
        '--declaration',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
      ],
      ...['--module', moduleKind, '--moduleResolution', moduleResolution],
      ...['--target', 'es2023', ...types, file],
    ],
    project,
  );
}

const copyConsumer = () =>
  cpSync(path.join(ROOT, 'test/package/consumer.ts'), path.join(project, 'consumer.ts'));

test.each([
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])(
  'a TypeScript program that uses all of the library compiles with module %s and resolution %s',
  (...how) => {
    copyConsumer();
    expect(compile('consumer.ts', ...how)).toBe('');
  },
);

test.each([
  ['the newest TypeScript', NEWEST],
  ['TypeScript 5.6', OLDER],
])('a TypeScript program without @types/node compiles with %s', (_name, tsc) => {
  copyConsumer();
  expect(runCommand(tsc, ['--version'], project)).toMatch(
    tsc === OLDER ? /^Version 5\.6\./ : /^Version [7-9]\./,
  );
  expect(compile('consumer.ts', 'nodenext', 'nodenext', WITHOUT_NODE, tsc)).toBe('');
});

test('a TypeScript program that misuses the library does not compile', () => {
  writeFileSync(
    path.join(project, 'misuse.ts'),
    "import { run } from 'gobonnie';\nawait run({ size: [] });\n",
  );
  expect(() => compile('misuse.ts', 'node16', 'node16')).toThrow(
    expect.objectContaining({ stdout: expect.stringMatching(/^misuse\.ts\(2,\d+\): error TS2322/) }),
  );
});
