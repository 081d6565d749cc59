import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../package/project.js';
import { FAST_DIRECTORY } from '../support/disks/directory.js';
import { startProcess } from '../support/programs/program.js';
import { ROOT } from '../support/root.js';
import { librarySnippets, readSnippets } from './snippets.js';

const snippets = [...readSnippets('docs/api.md'), ...readSnippets('README.md'), ...librarySnippets()];

const project = mkdtempSync(path.join(FAST_DIRECTORY, 'gobonnie-snippets-'));

beforeAll(async () => {
  mkdirSync(path.join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(ROOT, path.join(project, 'node_modules/gobonnie'));
  symlinkSync(path.join(ROOT, 'node_modules/@types/node'), path.join(project, 'node_modules/@types/node'));
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  for (const [index, { code }] of snippets.entries()) {
    writeFileSync(path.join(project, `${index}.ts`), code);
    const { code: javascript } = await transform(code, { loader: 'ts', format: 'esm' });
    writeFileSync(path.join(project, `${index}.js`), javascript);
  }
});

afterAll(() => rmSync(project, { recursive: true }));

test('docs/api.md, README.md and src/library have TypeScript examples', () => {
  const files = new Set(snippets.map(({ name }) => name.replace(/ \d+$/, '')));
  expect(files).toContain('docs/api.md');
  expect(files).toContain('README.md');
  expect(files).toContain('src/library/run.ts');
});

test('all TypeScript examples compile', () => {
  const files = snippets.map((_, index) => `${index}.ts`);
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  expect(runCommand(tsc, [...args, '--types', 'node', ...files], project)).toBe('');
});

test.concurrent.for(snippets.map(({ name }, index) => [name, index] as const))(
  '%s runs',
  async ([_, index], { expect }) => {
    const cwd = path.join(project, `cwd-${index}`);
    mkdirSync(cwd);
    const { exitResult } = startProcess(process.execPath, [path.join(project, `${index}.js`)], {
      cwd,
      env: { PATH: process.env.PATH, TMPDIR: cwd },
    });
    const { stderr, exitCode } = await exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  },
);
