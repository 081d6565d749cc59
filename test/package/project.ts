import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ROOT } from '../support/root.js';

const TIMEOUT_MS = 180_000;

/** Runs a command and returns what it prints; throws if it fails. */
export function runCommand(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** For the tests of one file: packs the package, and installs only the tarball in a user's project. */
export function packedProject(install = unpackInto): { readonly project: string; readonly tarball: string } {
  // On a disk, because the examples measure there, and files in RAM have no device share.
  const work = mkdtempSync(path.join(os.tmpdir(), 'gobonnie-package-'));
  const project = path.join(work, 'project');
  const tarball = path.join(work, 'packed.tgz');
  beforeAll(() => {
    // Without scripts, because a new build would disturb other tests.
    const packed = runCommand(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', work],
      ROOT,
    );
    renameSync(path.join(work, String(JSON.parse(packed)[0]?.filename)), tarball);
    install(project, tarball);
  }, TIMEOUT_MS);
  afterAll(() => rmSync(work, { recursive: true }));
  return { project, tarball };
}

/** Creates a user's project in which only the tarball is installed. */
export function installInto(directory: string, tarball: string): void {
  makeProject(directory);
  runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], directory);
}

/** Creates the same project without npm, which takes ten seconds: it links to this repository's dependencies. */
function unpackInto(directory: string, tarball: string): void {
  makeProject(directory);
  const modules = path.join(directory, 'node_modules');
  const unpacked = path.join(modules, 'gobonnie');
  for (const folder of [unpacked, path.join(modules, '.bin')]) mkdirSync(folder, { recursive: true });
  runCommand('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'], directory);
  const { bin, dependencies } = JSON.parse(readFileSync(path.join(unpacked, 'package.json'), 'utf8'));
  symlinkSync(path.join('../gobonnie', bin.gobonnie), path.join(modules, '.bin/gobonnie'));
  for (const name of Object.keys(dependencies))
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
}

function makeProject(directory: string): void {
  mkdirSync(directory);
  const manifest = { name: 'empty', private: true, type: 'module' };
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify(manifest));
}
