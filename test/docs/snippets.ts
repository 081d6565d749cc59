import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.js';

/** A program that a reader can paste. */
export interface Snippet {
  /** File and number of the snippet. */
  readonly name: string;
  readonly code: string;
}

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;
const EXAMPLE = /^ \* @example\n((?: \*(?! @).*\n)+)/gm;
/** Examples in comments omit their imports to be short in an editor. */
const PREAMBLE = `import { writeFile } from 'node:fs/promises';
import { check, compare, formats, plan, run, schemas } from 'gobonnie';
`;

/** Returns the TypeScript blocks of a page. */
export function readSnippets(page: string): readonly Snippet[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, code = ''], index) => ({ name: `${page} ${index + 1}`, code }));
}

/** Returns the examples in the library's comments. */
export function librarySnippets(): readonly Snippet[] {
  return readdirSync(path.join(ROOT, 'src/library')).flatMap((name) => {
    const text = readFileSync(path.join(ROOT, 'src/library', name), 'utf8');
    return [...text.matchAll(EXAMPLE)].map(([, lines = ''], index) => ({
      name: `src/library/${name} ${index + 1}`,
      code: PREAMBLE + lines.replace(/^ \* ?\/?/gm, ''),
    }));
  });
}
