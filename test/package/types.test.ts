import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type TypeScript from '../../node_modules/@arethetypeswrong/core/node_modules/typescript/lib/typescript.js';
import { ROOT } from '../support/root.js';
import { packedProject, runCommand } from './project.js';

const { project, tarball } = packedProject();
const consumer = path.join(project, 'consumer.ts');

beforeAll(() => cpSync(path.join(ROOT, 'test/package/consumer.ts'), consumer));

test('publint finds no problem in the package', () => {
  expect(runCommand('npx', ['publint', '--strict', tarball], ROOT)).toContain('All good!');
});

test('the types of the package resolve in every environment that can import an ESM package', () => {
  // Throws if attw fails, which it does for every problem that the profile does not exclude.
  const report = runCommand('npx', ['attw', '--profile', 'esm-only', tarball], ROOT);
  expect(report).toMatch(/node16 \(from ESM\).*🟢 \(ESM\)/);
  expect(report).toMatch(/bundler.*🟢/);
});

/** As strict as possible, including gobonnie's declarations. */
const STRICT = {
  ...{ noEmit: true, declaration: true, strict: true },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
};

// `AbortSignal` comes from @types/node, from no types, or below from the types of the browser.
test.each([
  [
    'node16 and @types/node',
    { ...STRICT, target: 'es2023', lib: ['es2023'], module: 'node16', types: ['node'] },
  ],
  ['nodenext and an empty list of types', { noEmit: true, strict: true, module: 'nodenext', types: [] }],
])(
  'a program that uses the whole library compiles with the newest TypeScript and %s, and an error in it is found',
  (_, options) => {
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    expect(runCommand(tsc, ['--version'], project)).toMatch(/^Version [7-9]\./);
    const compilerOptions = { ...options, typeRoots: [path.join(ROOT, 'node_modules/@types')] };
    const config = JSON.stringify({ compilerOptions, files: [consumer] });
    writeFileSync(path.join(project, 'tsconfig.json'), config);
    expect(runCommand(tsc, ['--project', '.'], project)).toBe('');
  },
);

/** Variables with the types that an editor shows for them. */
const HOVERS = [
  'const handle: RunHandle = run();',
  'const settled: Promise<Report> = handle.finally();',
  'const report: Report = await handle;',
  'const runs: Run[] = report.runs;',
  "const verdicts: ExpectationResult[] = check(report, 'write>0');",
  'const changes: MetricChange[] = compare(report, report).changes;',
];

test('the program compiles with TypeScript 5.6 for a bundler, and editors show the names of the types of results', () => {
  const file = path.join(project, 'hovers.ts');
  const lines = HOVERS.map((line) => line.replace(/:.* =/, ' ='));
  const text = ["import { check, compare, run } from 'gobonnie';", ...lines].join('\n');
  writeFileSync(file, text);
  // TypeScript 7 has no language service in JavaScript. Typed arrays have had type parameters since 5.7.
  const ts: typeof TypeScript = createRequire(import.meta.url)(
    path.join(ROOT, 'node_modules/@arethetypeswrong/core/node_modules/typescript'),
  );
  expect(ts.version).toMatch(/^5\.6\./);
  const options = {
    ...STRICT,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const host: object = {
    ...ts.createCompilerHost(options),
    getScriptFileNames: () => [consumer, file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) => ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ''),
    getCompilationSettings: () => options,
  };
  const service = ts.createLanguageService(host as TypeScript.LanguageServiceHost);
  const program = service.getProgram();
  const errors = program && ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(errors).toEqual([]);
  const hovers = lines.map((line) => service.getQuickInfoAtPosition(file, text.indexOf(line) + 6));
  const shown = hovers.map((hover) => ts.displayPartsToString(hover?.displayParts));
  expect(shown).toEqual(HOVERS.map((line) => line.replace(/ =.*/, '')));
});
