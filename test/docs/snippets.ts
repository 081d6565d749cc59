import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.js';

/** A program that a reader can paste. */
export interface Snippet {
  /** Its file and its number there. */
  readonly name: string;
  readonly code: string;
}

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;
const EXAMPLE = /^ \* @example\n((?: \*(?! @).*\n)+)/gm;
/** Examples in comments omit their imports, so that an editor shows what matters. */
const PREAMBLE = `import { writeFile } from 'node:fs/promises';
import { check, compare, formats, plan, run, schemas } from 'gobonnie';
`;

/** The TypeScript blocks of a page. */
export function snippetsIn(page: string): readonly Snippet[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, code = ''], at) => ({ name: `${page} ${at + 1}`, code }));
}

/** The examples in the comments of the library. */
export function librarySnippets(): readonly Snippet[] {
  return readdirSync(path.join(ROOT, 'src/library')).flatMap((name) => {
    const text = readFileSync(path.join(ROOT, 'src/library', name), 'utf8');
    return [...text.matchAll(EXAMPLE)].map(([, lines = ''], at) => ({
      name: `src/library/${name} ${at + 1}`,
      code: PREAMBLE + lines.replace(/^ \* ?\/?/gm, ''),
    }));
  });
}
