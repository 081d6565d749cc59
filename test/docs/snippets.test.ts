import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../package/project.js';
import { FAST_DIRECTORY } from '../support/disks/directory.js';
import { startProcess } from '../support/programs/program.js';
import { ROOT } from '../support/root.js';

/** A program that a reader can paste. */
interface Snippet {
  /** File and number of the snippet. */
  readonly name: string;
  readonly code: string;
}

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;
const EXAMPLE = /^ \* @example\n((?: \*(?! @).*\n)+)/gm;
/** Examples in comments omit their imports to be short in an editor. */
const PREAMBLE = `import { writeFile } from 'node:fs/promises';
import { check, compare, formats, plan, run, schemas } from 'gobonnie';
`;

/** Returns the TypeScript blocks of a page. */
function readSnippets(page: string): readonly Snippet[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, code = ''], index) => ({ name: `${page} ${index + 1}`, code }));
}

/** Returns the examples in the library's comments. */
function librarySnippets(): readonly Snippet[] {
  return readdirSync(path.join(ROOT, 'src/library')).flatMap((name) => {
    const text = readFileSync(path.join(ROOT, 'src/library', name), 'utf8');
    return [...text.matchAll(EXAMPLE)].map(([, lines = ''], index) => ({
      name: `src/library/${name} ${index + 1}`,
      code: PREAMBLE + lines.replace(/^ \* ?\/?/gm, ''),
    }));
  });
}

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

test('all TypeScript examples of docs/api.md, README.md and src/library compile', () => {
  const pages = new Set(snippets.map(({ name }) => name.replace(/ \d+$/, '')));
  for (const page of ['docs/api.md', 'README.md', 'src/library/run.ts']) expect(pages).toContain(page);
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
