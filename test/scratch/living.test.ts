import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isLiving, ownLife, parseBirth } from '../../src/scratch/living.js';
import { makeDirectory } from '../support/directory.js';
import { testOnLinux } from '../support/linux.js';
import { ENTRY, start } from '../support/program.js';
import { needs } from '../support/tool.js';

/** What /proc/PID/stat has behind the state, up to the time of birth, and a little more. */
const FIELDS =
  '12823 12791 5044 0 -1 4227084 108 0 1 0 1 2 3 4 20 0 11 0 777 1081344 246 18446744073709551615';

test.each([
  ['a plain name', `12830 (sleep) S ${FIELDS}`],
  ['a name like the rest of the line', `12830 (a) Z 1 (b) R 2 3) S ${FIELDS}`],
  ['a name with the end of a line in it', `12830 (a\nb) R ${FIELDS}\n`],
])('the birth is read behind %s', (_, line) => {
  expect(parseBirth(line)).toBe('777');
});

test.each([
  ['a zombie', `12830 (sleep) Z ${FIELDS}`],
  ['one being buried', `12830 (sleep) X ${FIELDS}`],
  ['nothing', ''],
  ['half a line', '12830 (sleep) S 1 2'],
])('%s has none', (_, line) => {
  expect(parseBirth(line)).toBeNull();
});

test('this process lives', () => {
  expect(isLiving(ownLife())).toBe(true);
});

test('its birth is told where the system tells', () => {
  expect(ownLife().birth !== '').toBe(existsSync('/proc/self/stat'));
});

test('another with the same number does not', () => {
  expect(isLiving({ ...ownLife(), birth: '1' })).toBe(false);
});

test.each(['told', 'not told'])('a child lives until it is killed, its birth %s', async (way) => {
  const child = spawn('sleep', ['1000']);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const pid = child.pid ?? 0;
  const birth = way === 'told' ? bornAt(pid) : '';
  expect(isLiving({ pid, birth })).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isLiving({ pid, birth })).toBe(false);
});

testOnLinux('a zombie does not live', async () => {
  // sleep takes the place of the shell, and never asks after the child that it does not know of; that one ends then.
  const parent = spawn('sh', ['-c', '(read _ <&3) & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  const [line] = await once(parent.stdout as Readable, 'data');
  const pid = Number(line);
  const isReplaced = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n';
  await vi.waitUntil(isReplaced, { timeout: 30_000 });
  (parent.stdio[3] as Writable).end('\n');
  const birth = /\) \S(?: \S+){18} (\d+)/.exec(await statOfZombie(pid))?.[1] ?? '';
  expect(birth).not.toBe('');
  expect(isLiving({ pid, birth })).toBe(false);
});

describe('in a container', () => {
  beforeEach(needs('root', 'unshare'));

  /** In the shell's words: a command that sees the container's own /proc. */
  const OWN = 'unshare --mount sh -c \'mount -t proc none /proc && exec "$@"\' sh';

  test.each([
    ['the machine’s /proc', '', OWN],
    ['its own /proc', OWN, ''],
  ])('a run that sees %s is at work for one that sees the other', async (_, run, look) => {
    const script = `
      ${run} "$0" "$1" -q --dir "$2" --size 0.01 --threads 1 --iops-duration 600 &
      until test -e "$2"/gobonnie-*/bonnie.0; do sleep 0.05; done
      ${look} "$0" "$1" clean "$2"
      kill -INT $!
      wait`;
    const args = ['--pid', '--fork', '--kill-child', 'sh', '-c', script];
    const program = start('unshare', [...args, process.execPath, ENTRY, makeDirectory()]);
    onTestFinished(() => {
      program.child.kill('SIGKILL');
    });
    const { stdout, stderr } = await program.ended;
    expect(stderr).toMatch(/gobonnie-\w+ stays: process \d+ is at work in it\n/);
    expect(stdout).not.toContain('removed');
  });
});

function bornAt(pid: number): string {
  return existsSync('/proc/self/stat') ? (parseBirth(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '') : '';
}

async function statOfZombie(pid: number): Promise<string> {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  if (line.includes(') Z ')) return line;
  await setTimeout(10);
  return statOfZombie(pid);
}
