import { cpSync, writeFileSync } from 'node:fs';
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

/** Source of `AbortSignal` in a user's program: @types/node, or the browser types. */
const WITH_NODE = [
  '--lib',
  'es2023',
  '--types',
  'node',
  '--typeRoots',
  path.join(ROOT, 'node_modules/@types'),
];
const WITHOUT_NODE = ['--lib', 'es2023,dom'];

/** Compiles a user's program as strictly as possible, including gobonnie's declarations. */
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
  'a TypeScript program that uses the whole library compiles with module %s and resolution %s',
  (...moduleOptions) => {
    copyConsumer();
    expect(compile('consumer.ts', ...moduleOptions)).toBe('');
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
