import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A real project to install, with all that installing it needs. */
export interface Project {
  /** Contains package.json and package-lock.json. */
  readonly directory: string;
  /** A cache with all its packages. */
  readonly cache: string;
  /** A tar archive of its files, and a git repository that tracks them. */
  readonly archive: string;
  readonly repository: string;
  readonly files: number;
}

/** About 750 packages and 20,000 files. */
// biome-ignore format: one line per topic
const DEPENDENCIES = {
  express: '^4', 'core-js': '^3', jest: '^29', 'jest-environment-jsdom': '^29', sass: '^1',
  webpack: '^5', 'webpack-cli': '^5', 'webpack-dev-server': '^5',
  'html-webpack-plugin': '^5', 'mini-css-extract-plugin': '^2',
  'css-loader': '^6', 'style-loader': '^3', 'sass-loader': '^13', 'babel-loader': '^9',
  '@babel/core': '^7', '@babel/preset-env': '^7', '@babel/preset-react': '^7', '@babel/preset-typescript': '^7',
};

// biome-ignore format: flags with their values
const IDENTITY = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];

/** npm's flags for packages from the cache. A lock file with addresses is npm's default, and saves reading the cache's index. */
export function npmFlags(cache: string): readonly string[] {
  // biome-ignore format: flags with their values
  return [
    '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--omit-lockfile-registry-resolved=false',
    '--cache', cache,
  ];
}

/** Downloads the project into `work` at the first run, and reuses it in later runs. */
export function prepareProject(work: string): Project {
  const directory = join(work, 'project');
  const cache = join(work, 'cache');
  const archive = join(work, 'tree.tar');
  const repository = join(work, 'repository');
  if (!existsSync(archive)) {
    for (const path of [directory, repository]) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true });
    }
    const manifest = { name: 'project', version: '1.0.0', private: true, dependencies: DEPENDENCIES };
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
    run(directory, 'npm', 'install', '--package-lock-only', ...npmFlags(cache));
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(directory, name), join(repository, name));
    run(repository, 'npm', 'ci', ...npmFlags(cache));
    run(repository, 'git', 'init', '--quiet');
    run(repository, 'git', ...IDENTITY, 'add', '--all', '--force');
    run(repository, 'git', ...IDENTITY, 'commit', '--quiet', '--message', 'tree');
    run(repository, 'git', 'gc', '--quiet');
    run(repository, 'tar', 'cf', archive, 'node_modules');
  }
  return { directory, cache, archive, repository, files: countFiles(join(repository, 'node_modules')) };
}

function countFiles(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;
}

/** Downloads need the whole environment, which may name certificates. */
function run(cwd: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
