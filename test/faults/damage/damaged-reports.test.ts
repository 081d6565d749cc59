import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listing, useOwnDirectory } from '../../support/disks/own-directory.js';
import { ENTRY, start } from '../../support/programs/program.js';
import { gobonnieHere } from '../../support/programs/program-here.js';
import { ROOT } from '../../support/root.js';
import { needsNobody } from '../../support/tool.js';
import { faultsOfRefusal, type Said, steers } from '../refusal.js';
import { Tally } from '../tally.js';
import { words } from '../words.js';
import { beyondFigures } from './beyond-figures.js';
import { byteDamage, type Damaged } from './damage.js';
import { fieldDamage } from './field-damage.js';
import { hostileText } from './hostile-text.js';
import { jsonDamage } from './json-damage.js';
import { mixtures } from './mixtures.js';
import { faultsOfRendering } from './rendering.js';
import { FORMATS, measureSpecimens, SPECIMENS, type Specimen } from './specimens.js';
import { SPRAWLING } from './sprawl.js';

const SEED = 20_180_412;
const TIMES = 12;
const FILE = 'damaged';
const FAILURE = 1;
const USAGE = 2;
/** Far less than the machine has. */
const HEAP = '--max-old-space-size=512';
const TOO_LARGE = 65 * 1024 ** 2;

useOwnDirectory();

const random = seededRandom(SEED);
const tally = new Tally('damaged reports', 'files', SEED);
const nameOf = ({ name, verdict }: Pick<Damaged, 'name' | 'verdict'>) => `${name} (${verdict})`;

/** UTF-16 begins with a mark. */
function textOf(content: Buffer): string {
  return content.toString(content.indexOf('\uFEFF', 0, 'utf16le') === 0 ? 'utf16le' : 'utf8');
}

async function faultsOfShowing({ content, verdict }: Damaged): Promise<readonly string[]> {
  writeFileSync(FILE, content);
  const before = listing();
  const faults =
    verdict === 'refused'
      ? faultsOfRefusing(await gobonnieHere(['show', FILE]))
      : await faultsInAllForms(textOf(Buffer.from(content)));
  return [...faults, ...(listing() === before ? [] : ['it wrote something'])];
}

/** One line that names the file and what is wrong with it. */
function faultsOfRefusing(said: Said, name = FILE): readonly string[] {
  const isNamed = [' cannot be read: ', ', line ', ' holds '].some((words) =>
    said.stderr.startsWith(`gobonnie: ${name}${words}`),
  );
  return [...faultsOfRefusal(said, FAILURE), ...(isNamed ? [] : [`it does not name ${name}`])];
}

/** A whole file is shown as text, and in every other format that can hold it. */
async function faultsInAllForms(content: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const format of FORMATS) {
    const said = await gobonnieHere(['show', FILE, '--format', format]);
    if (said.exitCode === 0) faults.push(...faultsOfRendering(format, said.stdout, content), ...spoken(said));
    else if (format === 'text') faults.push(`exit ${said.exitCode}`, ...spoken(said));
    else faults.push(...faultsOfRefusal(said, said.exitCode === FAILURE ? FAILURE : USAGE));
  }
  return faults;
}

/** What it says beside the warnings of the report. */
const spoken = ({ stderr }: Said) => {
  const others = stderr.split('\n').filter((line) => line !== '' && !line.includes(': warning: '));
  const steering = steers(stderr) ? ['a warning steers the terminal'] : [];
  return [...others.map((line) => `it says ${line.slice(0, 300)}`), ...steering];
};

test('an intact file is shown in every format that can hold it, and refused in one line by the others', async () => {
  for (const { name, text, formats } of [...SPECIMENS, ...(await measureSpecimens())]) {
    writeFileSync(FILE, text);
    for (const format of FORMATS) {
      const said = await gobonnieHere(['show', FILE, '--format', format]);
      const isHeld = formats.includes(format);
      const faults = isHeld
        ? [...faultsOfRendering(format, said.stdout, text), ...spoken(said)]
        : faultsOfRefusal(said, USAGE);
      expect({ name, format, exitCode: said.exitCode, faults }).toEqual({
        ...{ name, format, faults: [] },
        exitCode: isHeld ? 0 : USAGE,
      });
    }
  }
});

describe('a damaged file is refused in one line that names it, or shown if it is still whole:', () => {
  test.each<[string, () => readonly Damaged[]]>([
    ['bytes removed, doubled or changed', () => SPECIMENS.flatMap((one) => byteDamage(random, one))],
    [
      'other values, keys or brackets in JSON',
      () => SPECIMENS.filter(isJson).flatMap((one) => jsonDamage(random, one, TIMES)),
    ],
    [
      'other fields in a row',
      () => SPECIMENS.filter((one) => !isJson(one)).flatMap((one) => fieldDamage(random, one)),
    ],
    ['impossible figures', () => beyondFigures(SPECIMENS)],
    ['names that a terminal, browser or spreadsheet would execute', () => SPECIMENS.flatMap(hostileText)],
    ['no results, or several at once', () => mixtures(SPECIMENS)],
  ])('%s', async (_, make) => {
    await tally.hold(make(), nameOf, faultsOfShowing);
  });
});

function isJson({ kind }: Specimen): boolean {
  return kind === 'report' || kind === 'document';
}

test('no damaged file has changed the prototype of objects', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

test('of several files the intact ones are shown, and a message names each of the others', async () => {
  const whole = SPECIMENS.find(({ kind }) => kind === 'row')?.text ?? '';
  writeFileSync('whole', whole);
  writeFileSync('cut', whole.slice(0, 60));
  const { stdout: alone } = await gobonnieHere(['show', 'whole']);
  for (const files of ['cut whole missing', 'missing cut whole', 'whole cut cut']) {
    const { stdout, stderr, exitCode } = await gobonnieHere(['show', ...files.split(' ')]);
    expect({ stdout, exitCode }).toEqual({ stdout: alone, exitCode: FAILURE });
    expect(stderr).toMatch(/^(?:gobonnie: (?:cut, line 1|missing) cannot be read: [^\n]+; [^\n]+\n){2}$/);
  }
});

describe('a path that is not a file of results', () => {
  /** A name as messages quote it. */
  const quoted = (name: string) =>
    JSON.stringify(name).replace(
      /[\u007f-\u009f\u061c\u202e]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

  beforeAll(() => {
    mkdirSync('directory');
    execFileSync('mkfifo', ['fifo']);
    symlinkSync('loop', 'loop');
    symlinkSync('nowhere', 'dangling');
    symlinkSync('/dev/zero', 'zero');
    writeFileSync('large', '');
    truncateSync('large', TOO_LARGE);
    writeFileSync('closed', '{}');
    chmodSync('closed', 0o000);
  });

  test('is refused at once, with its name escaped', async () => {
    const plain = words('directory fifo loop dangling zero large missing directory/below large/below');
    const strange = words('\u001b[2J \u009bm \u202egnp.exe \u061c a\nb a\0b \0\u202e "');
    const cases = [
      ...plain.map((name) => ({ name, said: name })),
      ...strange.map((name) => ({ name, said: quoted(name) })),
      { name: '', said: '""' },
    ];
    await tally.hold(
      cases,
      ({ said }) => said,
      async ({ name, said }) => faultsOfRefusing(await gobonnieHere(['show', name]), said),
    );
  });

  test('is refused by the built program even if it never ends', async () => {
    const streams = ['/dev/zero', '/dev/urandom'].map((device) => ({ name: `${device} on stdin`, device }));
    await tally.hold(
      streams,
      ({ name }) => name,
      async ({ device }) => {
        const script = `exec "$0" ${HEAP} "$1" show - < ${device}`;
        return faultsOfRefusing(await start('sh', ['-c', script, process.execPath, ENTRY]).ended, 'stdin');
      },
    );
  });

  describe('for nobody', () => {
    beforeEach(needsNobody);

    test('may be one that only root can read', async () => {
      // The usual nobody may read everything, because the project may be in a directory of root.
      const as = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      for (const part of ['bin', 'dist', 'package.json'])
        cpSync(path.join(ROOT, part), part, { recursive: true });
      chmodSync('.', 0o755);
      const said = await start(process.execPath, ['bin/gobonnie.cjs', 'show', 'closed'], { as }).ended;
      expect(said.stderr).toContain('permission denied');
      expect(faultsOfRefusing(said, 'closed')).toEqual([]);
    });
  });
});

describe('a file that would be far larger in memory is refused or shown with little memory:', () => {
  test.each(SPRAWLING.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    writeFileSync(FILE, one.make(SPECIMENS.find(({ kind }) => kind === 'report')?.text ?? ''));
    await tally.hold([one], nameOf, async ({ verdict, reason }) => {
      const said = await start(process.execPath, [HEAP, ENTRY, 'show', FILE]).ended;
      if (verdict === 'shown') return [...faultsOfRendering('text', said.stdout, ''), ...spoken(said)];
      return [
        ...faultsOfRefusing(said),
        ...(said.stderr.includes(reason) ? [] : [`not for ${reason}`, ...spoken(said)]),
      ];
    });
  });
});

test('enough cases were tried', () => {
  tally.enough();
});
