import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const sources = ['src', 'workers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
);

function filesWith(pattern: RegExp): readonly string[] {
  return sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
}

test('biome and dependency-cruiser find no problem', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'lint'], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});

test('only the command line and the watcher use arguments, exit codes and the standard streams', () => {
  const files = filesWith(/\bprocess\s*\??\.\s*(?:argv|exitCode|stdin|stdout|stderr|on|once)\b/);
  const violations = files.filter(
    (file) => !file.startsWith('src/cli/') && file !== 'src/scratch/watcher/main.ts',
  );
  expect(files.length).toBeGreaterThan(violations.length);
  expect(violations).toEqual([]);
});

test('only three files end processes: gobonnie itself, or those of a command', () => {
  expect(filesWith(/\bprocess\s*\.\s*(?:exit|abort|reallyExit|kill)\s*\(/)).toEqual([
    'src/cli/interruption.ts',
    'src/command/run-command.ts',
    'src/scratch/processes.ts',
  ]);
});

test('no source imports the process, which is a parameter of main()', () => {
  expect(filesWith(/node:process|globalThis\s*\.\s*process\b/)).toEqual([]);
});

test('every source file has fewer than 400 lines', () => {
  expect(sources.filter(({ text }) => text.split('\n').length > 400).map(({ file }) => file)).toEqual([]);
});

test('src/index.ts contains only exports', () => {
  const index = readFileSync('src/index.ts', 'utf8').replace(/^\/\*\*[\s\S]*?\*\/$/gm, '');
  expect(index.replace(/^export (?:type )?\{[^}]*\} from '[^']*';$/gm, '').trim()).toBe('');
});

test('every dependency is imported', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const unused = Object.keys(dependencies).filter(
    (name) =>
      !sources.some(({ text }) => text.includes(`from '${name}'`) || text.includes(`import('${name}')`)),
  );
  expect(unused).toEqual([]);
});
