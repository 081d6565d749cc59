import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Import {
  /** The file's path from the root, with `/`. */
  readonly importer: string;
  /** A path from the root for a file of ours, a package's or a module's name for another. */
  readonly imported: string;
  /** `import type` leaves nothing in the JavaScript; `import { type A }` leaves the import itself. */
  readonly isType: boolean;
  /** `import()`: loaded only when it is called. */
  readonly isLazy: boolean;
}

export interface Source {
  readonly file: string;
  readonly text: string;
  /** The text without its comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const BLOCK_COMMENT = /^\s*\/\*[\s\S]*?\*\//gm;
const LINE_COMMENT = /(^|\s)\/\/ .*$/gm;
const IMPORT = /^import\s+(?<type>type\s+)?(?:[\w$*{][^'";]*?\s+from\s+)?'(?<imported>[^']+)'/gm;
const RE_EXPORT =
  /^export\s+(?<type>type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'(?<imported>[^']+)'/gm;
const LAZY_IMPORT = /\bimport\(\s*'(?<imported>[^']+)'/g;

/** Every TypeScript file of the folders, read and with its imports. */
export function readSources(folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => {
        const file = path.posix.join(folder, ...name.split(path.sep));
        return sourceOf(file, readFileSync(path.join(ROOT, file), 'utf8'));
      }),
  );
}

export function sourceOf(file: string, text: string): Source {
  const code = text.replace(BLOCK_COMMENT, '').replace(LINE_COMMENT, '');
  const found = (pattern: RegExp, isLazy: boolean) =>
    [...code.matchAll(pattern)].map(({ groups }) => ({
      importer: file,
      imported: resolve(file, groups?.imported ?? ''),
      isType: groups?.type !== undefined,
      isLazy,
    }));
  return {
    file,
    text,
    code,
    imports: [...found(IMPORT, false), ...found(RE_EXPORT, false), ...found(LAZY_IMPORT, true)],
  };
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}
