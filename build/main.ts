import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build, transform } from 'esbuild';

/**
 * The worker and the watcher are each one CommonJS file with all that they need: opening some 170 modules takes longer
 * than everything else before the first operation, and every worker thread opens its own again. The program is a few
 * such files, of which each command loads its own. The library, whose users have their own zod, is left to tsc.
 */
const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // CommonJS has no import.meta; createRequire takes a path as well.
  define: { 'import.meta.url': '__filename' },
  // Shorter files load faster. Names and lines remain as written, for readable stacks.
  minifySyntax: true,
  logLevel: 'warning',
} satisfies BuildOptions;

const OUTDIR = 'dist/program';
/** The packages that the program contains. */
const PACKAGES = ['commander', 'zod'];

/** esbuild splits only ES modules, which Node loads more slowly, so each is turned into CommonJS afterwards. */
async function buildProgram(): Promise<void> {
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    format: 'esm',
    splitting: true,
    entryPoints: { gobonnie: 'src/cli/main.ts' },
    outdir: OUTDIR,
    outExtension: { '.js': '.cjs' },
    metafile: true,
    write: false,
  });
  mkdirSync(OUTDIR, { recursive: true });
  for (const { path, text } of outputFiles) {
    // On Windows the path has backslashes, the metafile has none.
    const file = path.replaceAll('\\', '/');
    const [, inputs] = Object.entries(metafile.outputs).find(([output]) => file.endsWith(output)) ?? [];
    const includedPackages = PACKAGES.filter((name) =>
      Object.keys(inputs?.inputs ?? {}).some((input) => input.startsWith(`node_modules/${name}/`)),
    );
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: BUNDLE_OPTIONS.target,
      supported: { 'dynamic-import': false },
      banner: licenseNotices(includedPackages),
    });
    writeFileSync(path, code);
  }
}

function licenseNotices(packages: readonly string[]): string {
  if (packages.length === 0) return '';
  const texts = packages.map((name) => `${name}\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`);
  return `/*\nThis file contains:\n\n${texts.join('\n')}*/`;
}

rmSync('dist', { recursive: true, force: true });

await buildProgram();
await build({
  ...BUNDLE_OPTIONS,
  format: 'cjs',
  entryPoints: ['workers/main.ts'],
  outfile: 'dist/worker.cjs',
});
await build({
  ...BUNDLE_OPTIONS,
  format: 'cjs',
  entryPoints: ['src/scratch/watcher/main.ts'],
  outfile: 'dist/watcher.cjs',
});
