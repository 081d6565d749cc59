import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A real project to install. */
export interface Project {
  /** npm's cache, with all its packages. */
  readonly cache: string;
  /** A tar archive of its node_modules. */
  readonly archive: string;
  /** Tracks package.json, package-lock.json and node_modules. */
  readonly repository: string;
  readonly files: number;
}

/** About 750 packages and 20,000 files. */
// biome-ignore format: one line per topic
const DEPENDENCIES = {
  express: '^4', 'core-js': '^3', typescript: '^5', jest: '^29', 'jest-environment-jsdom': '^29', sass: '^1',
  webpack: '^5', 'webpack-cli': '^5', 'webpack-dev-server': '^5',
  'html-webpack-plugin': '^5', 'mini-css-extract-plugin': '^2',
  'css-loader': '^6', 'style-loader': '^3', 'sass-loader': '^13', 'babel-loader': '^9',
  '@babel/core': '^7', '@babel/preset-env': '^7', '@babel/preset-react': '^7', '@babel/preset-typescript': '^7',
};

/** Commands that install, commit and archive the project. Their arguments are flags of npm. */
const PREPARE = `npm install "$@"
  git init --quiet
  git add --all --force
  git -c user.name=bench -c user.email=bench@localhost commit --quiet --message tree
  git gc --quiet
  tar cf ../tree.tar node_modules`;

/** Adds addresses to the lock file, as npm does by default. Without them, npm reads and rewrites the cache's index. */
export function npmFlags(cache: string): readonly string[] {
  const flags =
    '--ignore-scripts --prefer-offline --no-audit --no-fund --omit-lockfile-registry-resolved=false';
  return [...flags.split(' '), '--cache', cache];
}

/** Downloads the project into `work` at the first run, and reuses it in later runs. */
export function prepareProject(work: string): Project {
  const cache = join(work, 'cache');
  const archive = join(work, 'tree.tar');
  const repository = join(work, 'repository');
  if (!existsSync(archive)) {
    rmSync(repository, { recursive: true, force: true });
    mkdirSync(repository, { recursive: true });
    const manifest = { name: 'project', version: '1.0.0', private: true, dependencies: DEPENDENCIES };
    writeFileSync(join(repository, 'package.json'), JSON.stringify(manifest));
    // A download needs the whole environment, which may name certificates.
    execFileSync('sh', ['-ec', PREPARE, 'sh', ...npmFlags(cache)], {
      cwd: repository,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const modules = join(repository, 'node_modules');
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  return { cache, archive, repository, files: entries.filter((entry) => entry.isFile()).length };
}
