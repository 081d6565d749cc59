import { readFileSync, rmSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';

/**
 * The program, the worker and the watcher, each in one CommonJS file that holds all it needs: opening some 170 modules takes longer
 * than everything else before the first operation, and every worker thread opens its own anew. The library, whose users
 * have their own zod, is left to tsc.
 */
const bundled: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  // CommonJS has no import.meta; createRequire takes a path as well.
  define: { 'import.meta.url': '__filename' },
  logLevel: 'warning',
};

function noticesOf(packages: readonly string[]): string {
  const texts = packages.map((name) => `${name}\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`);
  return `/*\nThis file contains:\n\n${texts.join('\n')}*/`;
}

rmSync('dist', { recursive: true, force: true });

await build({
  ...bundled,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/gobonnie.cjs',
  banner: { js: noticesOf(['commander', 'zod']) },
  // Only loaded where the system does not tell of its mounts itself.
  external: ['systeminformation'],
});

await build({ ...bundled, entryPoints: ['workers/main.ts'], outfile: 'dist/worker.cjs' });
await build({ ...bundled, entryPoints: ['src/scratch/watcher-main.ts'], outfile: 'dist/watcher.cjs' });
