import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.js';
import { installInto, packedProject, runCommand } from './project.js';

const { project, tarball } = packedProject(installInto);

test('the tarball contains the program once, and no sources or tests', () => {
  const files = runCommand('tar', ['-tzf', tarball], project).split('\n');
  expect(files).toContain('package/dist/worker.cjs');
  expect(files).toContain('package/dist/src/index.d.ts');
  // The library needs nothing of the commands, which the program contains.
  expect(files.filter((file) => file.startsWith('package/dist/src/cli/'))).toEqual([]);
  expect(files).toContain('package/completion/gobonnie.bash');
  expect(files).toContain('package/schema/gobonnie-config.schema.json');
  const noExamples = files.filter((file) => !file.startsWith('package/examples/'));
  expect(noExamples.filter((file) => /\/(test|bench|node_modules)\/|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('the tarball takes less than a megabyte', () => {
  expect(statSync(tarball).size).toBeLessThan(1_000_000);
});

test('every link of a page in the tarball leads to a file in the tarball', () => {
  const root = path.join(project, 'node_modules/gobonnie');
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/api.md', 'examples/README.md']));
  const broken = pages.flatMap((page) => {
    const text = readFileSync(path.join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const files = links.filter((link) => !/^https?:/.test(link));
    return files
      .filter((link) => !existsSync(path.join(root, path.dirname(page), link)))
      .map((link) => [page, link]);
  });
  expect(broken).toEqual([]);
});

test('the packed package runs no script during installation, and names no missing URL', () => {
  const manifest = JSON.parse(readFileSync(path.join(project, 'node_modules/gobonnie/package.json'), 'utf8'));
  const installScripts = ['prepare', 'preinstall', 'install', 'postinstall', 'prepublish'];
  expect(Object.keys(manifest.scripts).filter((name) => installScripts.includes(name))).toEqual([]);
  expect(manifest).not.toHaveProperty('repository');
  expect(manifest).not.toHaveProperty('homepage');
  expect(manifest).not.toHaveProperty('bugs');
});

test.each(['commander', 'zod'])('every file that contains %s also contains its licence', (name) => {
  const program = path.join(project, 'node_modules/gobonnie/dist/program');
  const licence = readFileSync(path.join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
  const fragment = { commander: 'commander.helpDisplayed', zod: '"$ZodError"' }[name] ?? '';
  const files = readdirSync(program).map((file) => readFileSync(path.join(program, file), 'utf8'));
  const containing = files.filter((text) => text.includes(fragment));
  expect(containing).not.toEqual([]);
  for (const text of containing) expect(text).toContain(licence);
});

test('npx gobonnie measures in a project in which only the tarball is installed', () => {
  const stdout = runCommand(
    'npx',
    ['gobonnie', '--size', '0.02', '--iops-duration', '0.2', '--json'],
    project,
  );
  const [result] = JSON.parse(stdout).results;
  expect(result.write_bytes).toBe(result.read_bytes);
  expect(result.iops).toBeGreaterThan(0);
});

test('gobonnie explain prints the page in the tarball, and without it names the file and the remedy', () => {
  const program = path.join(project, 'node_modules/.bin/gobonnie');
  expect(runCommand(program, ['explain', '3'], path.dirname(program))).toMatch(/^exit code 3: /);
  const page = path.join(project, 'node_modules/gobonnie/docs/warnings.md');
  renameSync(page, `${page}.bak`);
  expect(() => runCommand(program, ['explain', '3'], project)).toThrow(
    /gobonnie: cannot read \S+warnings\.md: no such file or directory \(ENOENT\); install gobonnie again\n/,
  );
  renameSync(`${page}.bak`, page);
});

test('package-lock.json names no registry', () => {
  expect(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(
    /"resolved": "(?!build")|https?:\/\/registry/,
  );
});
