import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../package/project.js';
import { FAST_DIRECTORY } from '../support/disks/directory.js';
import { startProcess } from '../support/programs/program.js';
import { ROOT } from '../support/root.js';
import { librarySnippets, snippetsIn } from './snippets.js';

const snippets = [...snippetsIn('docs/api.md'), ...snippetsIn('README.md'), ...librarySnippets()];

const project = mkdtempSync(path.join(FAST_DIRECTORY, 'gobonnie-snippets-'));

beforeAll(async () => {
  mkdirSync(path.join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(ROOT, path.join(project, 'node_modules/gobonnie'));
  symlinkSync(path.join(ROOT, 'node_modules/@types/node'), path.join(project, 'node_modules/@types/node'));
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  for (const [at, { code }] of snippets.entries()) {
    writeFileSync(path.join(project, `${at}.ts`), code);
    const { code: javascript } = await transform(code, { loader: 'ts', format: 'esm' });
    writeFileSync(path.join(project, `${at}.js`), javascript);
  }
});

afterAll(() => rmSync(project, { recursive: true }));

test('docs/api.md, README.md and src/library have TypeScript examples', () => {
  const places = new Set(snippets.map(({ name }) => name.replace(/ \d+$/, '')));
  expect(places).toContain('docs/api.md');
  expect(places).toContain('README.md');
  expect(places).toContain('src/library/run.ts');
});

test('all TypeScript examples compile', () => {
  const files = snippets.map((_, at) => `${at}.ts`);
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  expect(runCommand(tsc, [...args, '--types', 'node', ...files], project)).toBe('');
});

test.concurrent.for(snippets.map(({ name }, at) => [name, at] as const))(
  '%s runs',
  async ([_, at], { expect }) => {
    const place = path.join(project, `place-${at}`);
    mkdirSync(place);
    const { exitResult } = startProcess(process.execPath, [path.join(project, `${at}.js`)], {
      cwd: place,
      env: { PATH: process.env.PATH, TMPDIR: place },
    });
    const { stderr, exitCode } = await exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  },
);
