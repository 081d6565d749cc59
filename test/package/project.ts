import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.js';

/** Runs a command to its end and gives what it prints; throws where it fails. */
export function command(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What would be published, in a file. */
export function packInto(directory: string): string {
  // The build is there already; packing must not make it anew under the feet of other tests.
  const packed = command(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', directory],
    ROOT,
  );
  return path.join(directory, String(JSON.parse(packed)[0]?.filename));
}

/** A project of a user that is empty, but for what the tarball brings. */
export function installInto(directory: string, tarball: string): void {
  mkdirSync(directory);
  const manifest = { name: 'empty', private: true, type: 'module' };
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify(manifest));
  command('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], directory);
}
