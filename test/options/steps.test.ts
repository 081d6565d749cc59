import { describe, expect, test } from 'vitest';
import { optionsSchema, type StepInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { gobonnieErrorWith } from '../support/data/fixtures.js';

describe('a list of steps', () => {
  test('as text and as objects gives the same options', () => {
    const text =
      'random,io-size=4k,threads=32,mix=100%,direct,seconds=5 write,block-size=1m,size=96M,fsync=false';
    const objects: StepInput[] = [
      { phase: 'random', ioSize: 4096, threads: 32, mix: 100, direct: true, seconds: 5 },
      { phase: 'write', blockSize: '1m', size: 96 / 1024, fsync: false },
    ];
    expect(validateOptions({ steps: text }).steps).toEqual(validateOptions({ steps: objects }).steps);
    expect(validateOptions({ steps: text.split(' ') }).steps).toEqual(validateOptions({ steps: text }).steps);
  });

  test('replaces the phases', () => {
    expect(validateOptions({ steps: 'read' }).phases).toEqual([]);
    expect(() => validateOptions({ steps: 'read', phases: 'read' })).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        '--step and --phases read contradict each other; use only one of them',
      ),
    );
  });

  test('leaves complete options that are accepted again', () => {
    const options = validateOptions({ steps: 'read', seed: 1 });
    expect(validateOptions(options)).toEqual(options);
    expect(optionsSchema.parse(options)).toEqual(options);
    expect(() => validateOptions({ phases: [] })).toThrow(/^invalid --phases/);
  });

  test.each([
    ['random,io-size=4k,threads=32,mix=100', 'rnd4k-t32.read'],
    ['random,io-size=512,threads=1,mix=0', 'rnd512-t1.write'],
    ['random,io-size=1m,mix=70', 'rnd1m.mix70'],
    ['read,block-size=1m,threads=8', 'seq1m-t8.read'],
    ['write,name=wal.write', 'wal.write'],
  ])('%s is called %s', (text, name) => {
    expect(validateOptions({ steps: text }).steps).toMatchObject([{ name }]);
  });

  test('rejects write-new beside other steps, whose data it would replace', () => {
    expect(validateOptions({ steps: 'write-new write-new,threads=2' }).steps).toHaveLength(2);
    expect(() => validateOptions({ steps: 'read write-new,name=wal.write' })).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        '--step: wal.write replaces the data that the other steps use; pass only steps of write-new',
      ),
    );
  });

  test.each([
    ['random,block-size=4k', 'block-size has no effect on rnd512.mix90'],
    ['read,io-size=4k', 'io-size has no effect on seq64k.read'],
    ['write,mix=0', 'mix has no effect on seq64k.write'],
    ['read,paths=/srv', 'paths has no effect on seq64k.read'],
    ['open,threads=2', 'threads has no effect on open'],
    ['commit-wal,sync-per-write=fsync', 'sync-per-write has no effect on commit-wal'],
    ['read,sync-per-write=fsync', 'sync-per-write has no effect on seq64k.read'],
    ['random,mix=100,sync-per-write=fsync', 'sync-per-write has no effect on rnd512.read'],
    ['first-read,paths=/srv,io-size=4k', 'io-size has no effect on seq64k.first-read'],
  ])('rejects the settings of %s that would have no effect', (text, line) => {
    expect(() => validateOptions({ steps: text })).toThrow(
      gobonnieErrorWith('option-invalid', `--step: ${line}; leave it out`),
    );
  });

  test('names the spelling of a setting of a step beside another', () => {
    const steps = [{ phase: 'read', beside: [{ phase: 'write', 'block-size': '4k' }] }];
    expect(() => validateOptions({ steps })).toThrow(
      expect.objectContaining({ line: expect.stringContaining('did you mean blockSize?') }),
    );
  });

  test('rejects paths of second-read', () => {
    expect(() => validateOptions({ steps: 'first-read,paths=. second-read,paths=.' })).toThrow(
      expect.objectContaining({
        line: expect.stringContaining('second-read reads the paths of first-read, so it takes none'),
      }),
    );
  });

  test('rejects first-read without paths', () => {
    expect(() => validateOptions({ steps: 'first-read' })).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        '--step: first-read needs paths; for example, --step "first-read,paths=/srv second-read"',
      ),
    );
  });

  test.each([
    ['random,direct=false,direct=true', 'direct is set twice in random,direct=false,direct=true'],
    ['read random+write,sync-per-write=fsync,sync-per-write=fsync', 'sync-per-write is set twice in write,'],
    ['random,phase=write', 'phase is set twice in random,phase=write'],
  ])('rejects a setting of %s that is set twice', (text, line) => {
    expect(() => validateOptions({ steps: text })).toThrow(
      expect.objectContaining({
        code: 'option-invalid',
        line: expect.stringMatching(`^--step: ${line}.*; `),
      }),
    );
  });

  test('rejects two steps of the same name', () => {
    expect(() => validateOptions({ steps: 'read read,seconds=3' })).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        'two values of --step are called seq64k.read; give one of them another name, such as name=seq64k.read-2',
      ),
    );
  });
});

test.each([
  ['seeks', 'invalid --step seeks: expected read, write, write-new, rewrite, random, fill, first-read,'],
  ['random,threads=0', 'invalid --step random,threads=0 (threads): expected a whole number from 1 to 1024'],
  ['random,direct=1', 'invalid --step random,direct=1 (direct): expected true or false, or the word alone'],
  ['random,fsync=1', 'for a sync at the end; sync-per-write=fsync syncs after each write'],
  ['randread,io-size=4k', '; gobonnie explain randread translates it from fio'],
  ['rw=randread', '; gobonnie explain rw translates it from fio'],
  [
    'random,engine=libaio',
    'invalid --step random,engine=libaio (engine): expected one of auto, uring, threads',
  ],
  ['random,seconds=5m', 'invalid --step random,seconds=5m (seconds): expected a time such as 30 or 500ms,'],
  ['random,pause=5m', 'invalid --step random,pause=5m (pause): expected a time such as 30 or 500ms;'],
  ['random,interval=5m', '(interval): expected a time such as 30 or 500ms, from 1ms to 1 hour'],
  ['fill', '--step: seq64k.fill creates the data of the other steps; put fill first, and only once'],
  [
    'first-read,paths=.',
    '--step: first-read must be the first step, and only second-read can follow it; for example, --step "first',
  ],
  ['second-read', '--step: first-read must be the first step, and only second-read can follow it'],
  [
    'write,sync-per-write=always',
    'invalid --step write,sync-per-write=always (sync-per-write): expected one of fsync,',
  ],
])('the step %s is rejected with the part that is wrong', (text, line) => {
  expect(() => validateOptions({ steps: ['read', text] })).toThrow(
    expect.objectContaining({ code: 'option-invalid', line: expect.stringContaining(line) }),
  );
});

test.each([
  ['random,bs=4k', '--step random,bs=4k: bs is not a setting of a step; gobonnie explain bs translates'],
  ['read,xyz=4', '--step read,xyz=4: xyz is not a setting of a step; docs/quick-and-sweep.md lists'],
  [
    'read random,thraeds=1',
    '--step random,thraeds=1: thraeds is not a setting of a step; did you mean threads?',
  ],
  ['read+write,block-sizes=4k', '--beside write,block-sizes=4k: block-sizes is not a setting of a step; did'],
  [{ phase: 'random', 'io-size': '4k' }, ': io-size is not a setting of a step; did you mean ioSize?'],
  ['read+write,seconds=3', '--beside write,seconds=3: a step beside another has no seconds of its own'],
  ['read+write+random,block-sizes=4k', '--beside random,block-sizes=4k: block-sizes is not a setting'],
  ['random,threads=2+randread', 'invalid --beside randread: expected read, write, rewrite or random'],
  ['read+write,block-size=1', 'invalid --beside write,block-size=1 (block-size): expected'],
])('a setting of %s is rejected with its step and the way out', (step, line) => {
  expect(() => validateOptions({ steps: [step as string] })).toThrow(
    expect.objectContaining({ line: expect.stringContaining(line) }),
  );
});

test('a time has the same units in all settings', () => {
  const [step] = validateOptions({ steps: 'random,seconds=1.5s,pause=500ms,interval=10ms' }).steps ?? [];
  expect(step).toMatchObject({ seconds: 1.5, pause: 0.5, interval: 0.01 });
});
