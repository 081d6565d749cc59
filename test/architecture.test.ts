import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, test } from 'vitest';
import { ROOT } from './support/root.js';

const PAGE = path.join(ROOT, 'docs/architecture.md');
const PICTURE = /(?<=^<!-- folders: begin.* -->\n)[\s\S]*(?=^<!-- folders: end -->$)/m;

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

test('docs/architecture.md draws which folder imports which, as the code does', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(PICTURE);
  const drawn = page.replace(PICTURE, mermaid(withoutDetours(await importsBetweenFolders())));
  await expect(drawn).toMatchFileSnapshot(PAGE);
});

/** `src/plan/size.ts` is in the folder `plan`, `workers/files/file-tree.ts` in `workers`. */
function folderOf(file: string): string | undefined {
  return /^(?:src\/(\w+)|(workers))\//.exec(file)?.slice(1).find(Boolean);
}

/** Every folder with those that it imports, except `text`, which any may import. */
async function importsBetweenFolders(): Promise<Imports> {
  const options = await extractOptions(path.join(ROOT, '.dependency-cruiser.cjs'));
  const { output } = await cruise(['src', 'workers'], { ...options, baseDir: ROOT, validate: false });
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of (output as ICruiseResult).modules) {
    const from = folderOf(source);
    if (from === undefined || from === 'text') continue;
    const known = imports.get(from) ?? new Set();
    imports.set(from, known);
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved);
      if (to !== undefined && to !== from && to !== 'text') known.add(to);
    }
  }
  return imports;
}

/** Leaves out an arrow if a longer path implies it. */
function withoutDetours(imports: Imports): Imports {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder, imports)]));
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) ?? false;
  const isBetween = (from: string, folder: string, to: string) =>
    reaches(folder, to) && !reaches(folder, from) && !reaches(to, folder);
  return new Map(
    [...imports].map(([from, tos]) => [
      from,
      new Set([...tos].filter((to) => ![...tos].some((folder) => isBetween(from, folder, to)))),
    ]),
  );
}

function reachedFrom(folder: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set<string>();
  // The loop also visits the elements that are added to the set during it.
  for (const next of imports.get(folder) ?? []) reached.add(next);
  for (const next of reached) for (const further of imports.get(next) ?? []) reached.add(further);
  return reached;
}

function mermaid(imports: Imports): string {
  const arrows = [...imports].flatMap(([from, tos]) => [...tos].map((to) => `  ${from} --> ${to}\n`));
  return `\n\`\`\`mermaid\nflowchart TD\n${arrows.sort().join('')}\`\`\`\n\n`;
}
