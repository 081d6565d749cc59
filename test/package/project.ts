import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.js';

/** Runs a command and returns what it prints; throws if it fails. */
export function command(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Packs what would be published; returns the path of the tarball. */
export function packInto(directory: string): string {
  // Packing must not build again while other tests use the build.
  const packed = command(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', directory],
    ROOT,
  );
  return path.join(directory, String(JSON.parse(packed)[0]?.filename));
}

/** Makes an empty project of a user, in which only the tarball is installed. */
export function installInto(directory: string, tarball: string): void {
  makeProject(directory);
  command('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], directory);
}

/** Makes the same project without npm, which takes ten seconds: our own dependencies stand in for those of the package. */
export function unpackInto(directory: string, tarball: string): void {
  makeProject(directory);
  const modules = path.join(directory, 'node_modules');
  const unpacked = path.join(modules, 'gobonnie');
  for (const folder of [unpacked, path.join(modules, '.bin')]) mkdirSync(folder, { recursive: true });
  command('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'], directory);
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
