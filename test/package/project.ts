import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
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
  mkdirSync(directory);
  const manifest = { name: 'empty', private: true, type: 'module' };
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify(manifest));
  command('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], directory);
}
