import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, test } from 'vitest';
import { ROOT } from './support/root.js';

const PAGE = path.join(ROOT, 'docs/architecture.md');
const PICTURE = /(?<=^<!-- folders: begin.* -->\n)[\s\S]*(?=^<!-- folders: end -->$)/m;

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

test('docs/architecture.md draws the imports between the folders of the code', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(PICTURE);
  const drawn = page.replace(PICTURE, mermaid(withoutDetours(await importsBetweenFolders())));
  await expect(drawn).toMatchFileSnapshot(PAGE);
});

/** Returns `plan` for `src/plan/size.ts`, and `workers` for `workers/files/file-tree.ts`. */
function folderOf(file: string): string | undefined {
  return /^(?:src\/(\w+)|(workers))\//.exec(file)?.slice(1).find(Boolean);
}

/** Returns the imports of every folder but `text`, which all folders may import. */
async function importsBetweenFolders(): Promise<Imports> {
  const options = await extractOptions(path.join(ROOT, '.dependency-cruiser.cjs'));
  const { output } = await cruise(['src', 'workers'], { ...options, baseDir: ROOT, validate: false });
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of (output as ICruiseResult).modules) {
    const from = folderOf(source);
    if (from === undefined || from === 'text') continue;
    const folders = imports.get(from) ?? new Set();
    imports.set(from, folders);
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved);
      if (to !== undefined && to !== from && to !== 'text') folders.add(to);
    }
  }
  return imports;
}

/** Removes arrows that a longer path implies. */
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
  // The second loop also visits elements that it adds to the set.
  for (const next of imports.get(folder) ?? []) reached.add(next);
  for (const next of reached) for (const further of imports.get(next) ?? []) reached.add(further);
  return reached;
}

function mermaid(imports: Imports): string {
  const arrows = [...imports].flatMap(([from, tos]) => [...tos].map((to) => `  ${from} --> ${to}\n`));
  return `\n\`\`\`mermaid\nflowchart TD\n${arrows.sort().join('')}\`\`\`\n\n`;
}
