import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, ROOT, readSources, sourceOf } from './sources.js';

const sources = readSources(['src', 'workers']);
const files = new Set(sources.map(({ file }) => file));
const imports = sources.flatMap((source) => source.imports);
const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** Whether a file is one of the rooms: a folder with `/` at its end, or a file. */
function isIn(file: string, rooms: readonly string[]): boolean {
  return rooms.some((room) => (room.endsWith('/') ? file.startsWith(room) : file === room));
}

/** What stands in `rooms` and imports something of ours that is neither there nor among the `allowed`. */
function trespasses(rooms: readonly string[], allowed: readonly string[]): readonly string[] {
  return imports
    .filter(({ importer, imported }) => isIn(importer, rooms) && files.has(imported))
    .filter(({ imported }) => !isIn(imported, [...rooms, ...allowed]))
    .map(told);
}

function told({ importer, imported }: Import): string {
  return `${importer} imports ${imported}`;
}

function importersOf(name: string): readonly string[] {
  return imports
    .filter(({ imported }) => imported === name || imported.startsWith(`${name}/`))
    .map(({ importer }) => importer);
}

function codeWith(pattern: RegExp, rooms: (file: string) => boolean): readonly string[] {
  return sources
    .filter(({ file }) => rooms(file))
    .flatMap(({ file, code }) => (code.match(pattern) ?? []).map((word) => `${file}: ${word}`));
}

/** The shortest way from a file to itself or to another, along the imports that are followed. */
function wayFrom(start: string, isGoal: (file: string) => boolean, followed: (row: Import) => boolean) {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const row of imports) {
      if (row.importer !== way.at(-1) || !followed(row)) continue;
      if (isGoal(row.imported)) return [...way, row.imported];
      if (seen.has(row.imported)) continue;
      seen.add(row.imported);
      ways.push([...way, row.imported]);
    }
  }
  return null;
}

describe('reading the sources', () => {
  test('every way to import is seen', () => {
    const text = [
      "import fs from 'node:fs';",
      "import type { A } from './a.js';",
      "import { type B, c } from '../b.js';",
      'import {',
      '  d,',
      "} from './d.js';",
      "import * as e from './e.js';",
      "import './f.js';",
      "export { g } from './g.js';",
      "export type { H } from './h.js';",
      "export * from './i.js';",
      "  const { j } = await import('./j.js');",
      "// import k from './k.js';",
      "/** import l from './l.js'; */",
      " * import('./m.js')",
    ].join('\n');
    const seen = sourceOf('src/x/y.ts', text).imports.map(
      ({ imported, isType, isLazy }) => `${imported}${isType ? ' type' : ''}${isLazy ? ' lazy' : ''}`,
    );
    expect(seen).toEqual([
      'node:fs',
      'src/x/a.ts type',
      'src/b.ts',
      'src/x/d.ts',
      'src/x/e.ts',
      'src/x/f.ts',
      'src/x/g.ts',
      'src/x/h.ts type',
      'src/x/i.ts',
      'src/x/j.ts lazy',
      'src/x/m.ts lazy',
    ]);
  });

  test('every import of a path leads to a file', () => {
    const lost = imports.filter(({ imported }) => /^(src|workers|\.)/.test(imported) && !files.has(imported));
    expect(lost.map(told)).toEqual([]);
  });

  test('no import keyword is left over', () => {
    const odd = sources.filter(
      ({ code, imports: seen }) =>
        (code.match(/\bfrom\s*['"`]|\bimport\s*[('"`]/g) ?? []).length !== seen.length,
    );
    expect(odd.map(({ file }) => file)).toEqual([]);
  });
});

describe('who may import whom', () => {
  test('nothing imports cli', () => {
    expect(
      imports
        .filter(({ importer, imported }) => isIn(imported, ['src/cli/']) && !isIn(importer, ['src/cli/']))
        .map(told),
    ).toEqual([]);
  });

  test('the library is imported by its face alone', () => {
    const others = imports.filter(
      ({ importer, imported }) =>
        isIn(imported, ['src/library/', 'src/index.ts']) && !isIn(importer, ['src/library/', 'src/index.ts']),
    );
    expect(others.map(told)).toEqual([]);
  });

  test('the library’s face is exports only', () => {
    const { code } = sources.find(({ file }) => file === 'src/index.ts') ?? { code: 'missing' };
    expect(code.replace(/^export (?:type )?\{[^}]*\} from '[^']*';$/gm, '').trim()).toBe('');
  });

  test('run imports plan, machine, report and what both sides of a worker know', () => {
    const workers = [
      'workers/protocol.ts',
      'workers/phases/',
      'workers/data/',
      'workers/random.ts',
      'workers/tree.ts',
    ];
    const own = [
      'src/plan.ts',
      'src/plan/',
      'src/machine.ts',
      'src/options/schema.ts',
      'src/options/family.ts',
      'src/report/',
      'src/mount.ts',
      'src/errors.ts',
      'src/system-error.ts',
      'src/shown.ts',
      'src/units.ts',
    ];
    expect(trespasses(['src/run/'], [...own, ...workers])).toEqual([]);
  });

  test('run is imported by the cli, the watcher and the library alone', () => {
    const faces = ['src/cli/', 'src/watcher/', 'src/index.ts', 'src/library/'];
    const others = imports.filter(
      ({ importer, imported }) => isIn(imported, ['src/run/']) && !isIn(importer, ['src/run/', ...faces]),
    );
    expect(others.map(told)).toEqual([]);
  });

  test('format imports report, what it is compared with, the small things and the types of the plan', () => {
    const small = ['units', 'errors', 'shown', 'choice', 'groups'].map((name) => `src/${name}.ts`);
    expect(
      trespasses(
        ['src/format/'],
        [...small, 'src/report/', 'src/compare/', 'src/plan.ts', 'workers/phases/'],
      ),
    ).toEqual([]);
    const plans = imports.filter(
      ({ importer, imported }) => isIn(importer, ['src/format/']) && imported === 'src/plan.ts',
    );
    expect(plans.filter(({ isType }) => !isType).map(told)).toEqual([]);
  });

  test('compare imports report, the small things, and the types of what is read', () => {
    expect(
      trespasses(
        ['src/compare/'],
        ['src/report/', 'src/read/', 'src/units.ts', 'src/errors.ts', 'src/shown.ts', 'src/groups.ts'],
      ),
    ).toEqual([]);
    const reads = imports.filter(
      ({ importer, imported }) => isIn(importer, ['src/compare/']) && isIn(imported, ['src/read/']),
    );
    expect(reads.filter(({ isType }) => !isType).map(told)).toEqual([]);
  });

  test('read imports report and the small things', () => {
    const small = ['units', 'errors', 'shown'].map((name) => `src/${name}.ts`);
    expect(trespasses(['src/read/'], ['src/report/', ...small])).toEqual([]);
  });

  test('workers import workers and node: only', () => {
    const others = imports.filter(
      ({ importer, imported }) => isIn(importer, ['workers/']) && !isIn(imported, ['workers/']),
    );
    expect(others.filter(({ imported }) => !imported.startsWith('node:')).map(told)).toEqual([]);
  });

  test.each([
    'src/errors.ts',
    'src/shown.ts',
    'src/units.ts',
    'src/mount.ts',
    'src/block-device.ts',
    'src/host.ts',
    'src/version.ts',
  ])('%s imports nothing of ours', (file) => {
    expect(files).toContain(file);
    expect(trespasses([file], [])).toEqual([]);
  });

  test('there are no circles, not even of types', () => {
    const circles = sources.map(({ file }) =>
      wayFrom(
        file,
        (goal) => goal === file,
        () => true,
      ),
    );
    expect(circles.filter((circle) => circle !== null)).toEqual([]);
  });

  test('the plan and the formats are pure: they import nothing of the system', () => {
    const pure = imports.filter(({ importer }) =>
      isIn(importer, ['src/plan.ts', 'src/plan/', 'src/format/', 'src/read/', 'src/report/', 'src/compare/']),
    );
    expect(pure.filter(({ imported }) => imported.startsWith('node:')).map(told)).toEqual([]);
  });
});

describe('what comes from outside', () => {
  test('the packages imported are the dependencies, all of them and no other', () => {
    const packages = imports
      .map(({ imported }) => imported)
      .filter((imported) => !files.has(imported) && !imported.startsWith('node:'));
    expect(new Set(packages)).toEqual(new Set(Object.keys(dependencies)));
  });

  test('commander is imported where command lines are read only, and its types where they are told of', () => {
    const rooms = ['src/cli/dialects/', 'src/cli/lexing.ts'];
    const others = imports.filter(
      ({ importer, imported }) => imported === 'commander' && !isIn(importer, rooms),
    );
    expect(others.filter(({ isType }) => !isType).map(told)).toEqual([]);
    const tellers = [
      'src/cli/request.ts',
      'src/cli/completion/vocabulary.ts',
      'src/cli/commands/completion.ts',
    ];
    expect(others.map(({ importer }) => importer).filter((file) => !tellers.includes(file))).toEqual([]);
  });

  test('zod is imported where something is judged only', () => {
    const judges = [
      'src/options/schema.ts',
      'src/options/zones.ts',
      'src/compare/documents.ts',
      'src/report/event-record.ts',
      'src/report/report.ts',
      'src/report/measured.ts',
      'src/report/quantities.ts',
      'src/read/gobonniego-json.ts',
      'src/cli/presentation.ts',
      'src/cli/config/schema.ts',
    ];
    expect(importersOf('zod').filter((file) => !judges.includes(file))).toEqual([]);
  });

  test('systeminformation is imported in machine.ts only, and lazily', () => {
    const rows = imports.filter(({ imported }) => imported === 'systeminformation');
    expect(rows).toEqual([
      { importer: 'src/machine.ts', imported: 'systeminformation', isType: false, isLazy: true },
    ]);
  });

  test.each(['zod', 'systeminformation'])('--help and --version do not load %s', (name) => {
    expect(files).toContain('src/cli/main.ts');
    expect(
      wayFrom(
        'src/cli/main.ts',
        (goal) => goal === name,
        ({ isType, isLazy }) => !isType && !isLazy,
      ),
    ).toBeNull();
  });
});

describe('who knows the process', () => {
  /** The watcher is a program of its own. */
  const isOutsideCli = (file: string) => !isIn(file, ['src/cli/', 'src/watcher/']);

  test('only the cli and the watcher know arguments, exit codes and the standard streams', () => {
    const words =
      /\bprocess\s*\??\.\s*(?:argv|exit|exitCode|stdin|stdout|stderr|on|once)\b|\}\s*=\s*process\b/g;
    expect(codeWith(words, isOutsideCli)).toEqual([]);
    expect(importersOf('node:process').filter(isOutsideCli)).toEqual([]);
  });

  test('nothing is printed by console, anywhere', () => {
    expect(codeWith(/\bconsole\b/g, () => true)).toEqual([]);
  });

  test('nothing ends the process in the middle but a second signal', () => {
    expect(codeWith(/\bprocess\s*\.\s*(?:exit|abort|reallyExit|kill)\s*\(/g, () => true)).toEqual([
      'src/cli/interruption.ts: process.kill(',
    ]);
  });

  test('the cli is handed its process: only its types are global', () => {
    const words = /\bglobalThis\s*\.\s*process\b/g;
    expect(codeWith(words, () => true)).toEqual([]);
    expect(importersOf('node:process')).toEqual([]);
  });
});

test('every file is under 250 lines', () => {
  const long = sources.filter(({ text }) => text.split('\n').length > 250);
  expect(long.map(({ file }) => file)).toEqual([]);
});
