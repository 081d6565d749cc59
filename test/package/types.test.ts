import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import type TypeScript from '../../node_modules/@arethetypeswrong/core/node_modules/typescript/lib/typescript.js';
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
const OLDER_PACKAGE = path.join(ROOT, 'node_modules/@arethetypeswrong/core/node_modules/typescript');
const OLDER = path.join(OLDER_PACKAGE, 'bin/tsc');

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

test('the program compiles with the options of a config file, strict, module nodenext and an empty list of types', () => {
  cpSync(path.join(ROOT, 'test/package/consumer.ts'), path.join(project, 'consumer.ts'));
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', types: [] };
  const config = JSON.stringify({ compilerOptions, files: ['consumer.ts'] });
  writeFileSync(path.join(project, 'tsconfig.json'), config);
  expect(runCommand(NEWEST, ['--project', '.'], project)).toBe('');
});

/** Variables with the types that an editor shows for them. */
const HOVERS = [
  'const handle: RunHandle = run();',
  'const settled: Promise<Report> = handle.finally();',
  'const report: Report = await handle;',
  'const runs: Run[] = report.runs;',
  "const verdicts: ExpectationResult[] = check(report, 'write>0');",
  'const changes: MetricChange[] = compare(report, report).changes;',
];

test('editors show the name of the type of a result, not all of its properties', () => {
  const file = path.join(project, 'hovers.ts');
  const lines = HOVERS.map((line) => line.replace(/:.* =/, ' ='));
  const text = ["import { check, compare, run } from 'gobonnie';", ...lines].join('\n');
  writeFileSync(file, text);
  // TypeScript 7 has no language service in JavaScript.
  const ts: typeof TypeScript = createRequire(import.meta.url)(OLDER_PACKAGE);
  const options = { strict: true, module: ts.ModuleKind.NodeNext, types: [] };
  const host: object = {
    ...ts.createCompilerHost(options),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) => ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ''),
    getCompilationSettings: () => options,
  };
  const service = ts.createLanguageService(host as TypeScript.LanguageServiceHost);
  const hovers = lines.map((line) => service.getQuickInfoAtPosition(file, text.indexOf(line) + 6));
  const shown = hovers.map((hover) => ts.displayPartsToString(hover?.displayParts));
  expect(shown).toEqual(HOVERS.map((line) => line.replace(/ =.*/, '')));
});
