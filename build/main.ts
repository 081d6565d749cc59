import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build, transform } from 'esbuild';

/**
 * The worker and the watcher are each bundled into one CommonJS file: opening some 170 modules takes longer than all
 * other work before the first operation, and every worker thread would open them again. The program is a few CommonJS
 * files, and each command loads only the files it needs. tsc builds the library, because its users bring their own zod.
 */
const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // CommonJS has no import.meta; createRequire also accepts a path.
  define: { 'import.meta.url': '__filename' },
  // Shorter files load faster. Names and lines remain as written, for readable stacks.
  minifySyntax: true,
  logLevel: 'warning',
} satisfies BuildOptions;

const OUTDIR = 'dist/program';
/** Packages bundled into the program. */
const PACKAGES = ['commander', 'zod'];

/** Splits the program into ES modules, because esbuild splits nothing else, then converts them to the faster CommonJS. */
async function buildProgram(): Promise<void> {
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    format: 'esm',
    splitting: true,
    entryPoints: { gobonnie: 'src/cli/start.ts' },
    outdir: OUTDIR,
    outExtension: { '.js': '.cjs' },
    metafile: true,
    write: false,
  });
  mkdirSync(OUTDIR, { recursive: true });
  for (const { path, text } of outputFiles) {
    // On Windows, the path has backslashes but the metafile does not.
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
