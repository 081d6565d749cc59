import { expect, test } from 'vitest';
import { onWindows } from '../../../src/cli/argv/example.js';
import { exampleLines } from '../../../src/cli/argv/wrapping.js';
import { topics } from '../../../src/cli/explain/topics.js';

const shownOnWindows = (command: string) => onWindows([{ command, does: '' }])[0]?.command;

test.each([
  ['gobonnie --dir /mnt/disk --size 4', 'gobonnie --dir D:\\ --size 4'],
  ['gobonnie --dir /mnt/disk/new', 'gobonnie --dir D:\\new'],
  ['gobonnie --dir /mnt/share --size 64', 'gobonnie --dir E:\\ --size 64'],
  ["gobonnie --expect 'write>=200MB/s'", 'gobonnie --expect "write>=200MB/s"'],
  ["jq '.statistics[]' report.json", 'jq ".statistics[]" report.json'],
])('%s is shown on Windows with its paths and quotes', (command, shown) => {
  expect(shownOnWindows(command)).toBe(shown);
});

test('no example that is explained on Windows has a path, a program or a quote that it lacks', () => {
  const all = topics.flatMap(({ examples }) => onWindows(examples)).map(({ command }) => command);
  expect(all.length).toBeGreaterThan(50);
  for (const command of all)
    expect(command).not.toMatch(
      /\/(?:mnt|dev|var|proc|etc)|~|'|\b(?:sudo|df|ls|ulimit|dmesg|eval)\b|^\w+=|\$\?|&/,
    );
});

test('an explanation of which no example is left shows none', () => {
  expect(exampleLines([{ command: 'sudo dmesg | tail', does: '' }], 'win32')).toBe('');
});
