import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, test } from 'vitest';
import { ROOT } from './support/root.js';

const PAGE = path.join(ROOT, 'docs/architecture.md');
const PICTURE = /(?<=^<!-- rooms: begin.* -->\n)[\s\S]*(?=^<!-- rooms: end -->$)/m;

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

test('docs/architecture.md draws who imports whom as the code does', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(PICTURE);
  const drawn = page.replace(PICTURE, mermaid(withoutDetours(await importsBetweenRooms())));
  await expect(drawn).toMatchFileSnapshot(PAGE);
});

/** `src/plan/size.ts` is in the room `plan`, `workers/files/tree.ts` in `workers`. */
function roomOf(file: string): string | undefined {
  return /^(?:src\/(\w+)|(workers))\//.exec(file)?.slice(1).find(Boolean);
}

/** Every room with the rooms that it imports, but for `text`, which any may import. */
async function importsBetweenRooms(): Promise<Imports> {
  const options = await extractOptions(path.join(ROOT, '.dependency-cruiser.cjs'));
  const { output } = await cruise(['src', 'workers'], { ...options, baseDir: ROOT, validate: false });
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of (output as ICruiseResult).modules) {
    const from = roomOf(source);
    if (from === undefined || from === 'text') continue;
    const known = imports.get(from) ?? new Set();
    imports.set(from, known);
    for (const { resolved } of dependencies) {
      const to = roomOf(resolved);
      if (to !== undefined && to !== from && to !== 'text') known.add(to);
    }
  }
  return imports;
}

/** Leaves out an arrow when a longer way over a room between the two says the same. */
function withoutDetours(imports: Imports): Imports {
  const reached = new Map([...imports.keys()].map((room) => [room, reachedFrom(room, imports)]));
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) ?? false;
  const isBetween = (from: string, room: string, to: string) =>
    reaches(room, to) && !reaches(room, from) && !reaches(to, room);
  return new Map(
    [...imports].map(([from, tos]) => [
      from,
      new Set([...tos].filter((to) => ![...tos].some((room) => isBetween(from, room, to)))),
    ]),
  );
}

function reachedFrom(room: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set<string>();
  // A set that grows while it is walked through is walked to its end.
  for (const next of imports.get(room) ?? []) reached.add(next);
  for (const next of reached) for (const further of imports.get(next) ?? []) reached.add(further);
  return reached;
}

function mermaid(imports: Imports): string {
  const arrows = [...imports].flatMap(([from, tos]) => [...tos].map((to) => `  ${from} --> ${to}\n`));
  return `\n\`\`\`mermaid\nflowchart TD\n${arrows.sort().join('')}\`\`\`\n\n`;
}
