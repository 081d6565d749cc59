import { expect, test } from 'vitest';
import { examplesFor } from '../../../src/cli/argv/example.js';
import { exampleLines } from '../../../src/cli/argv/help-layout.js';
import { commands, requestFrom } from '../../../src/cli/dispatch.js';
import { readExplanations } from '../../../src/cli/explanations.js';
import { planWith } from '../../support/data/fixtures.js';

const exampleOn = (platform: string, command: string) =>
  examplesFor([{ command, comment: '' }], platform)[0]?.command;

test.each([
  ['win32', 'gobonnie --dir /mnt/disk --size 4', 'gobonnie --dir D:\\ --size 4'],
  ['win32', 'gobonnie --dir /mnt/disk/new', 'gobonnie --dir D:\\new'],
  ['win32', 'gobonnie --dir /mnt/share --size 64', 'gobonnie --dir E:\\ --size 64'],
  ['darwin', 'gobonnie --dir /mnt/disk/new', 'gobonnie --dir /Volumes/disk/new'],
  ['linux', 'gobonnie --dir /mnt/disk/new', 'gobonnie --dir /mnt/disk/new'],
])('on %s, the example %s has paths of that system', (platform, command, example) => {
  expect(exampleOn(platform, command)).toBe(example);
});

const FOREIGN = {
  darwin: /\/(?:mnt|proc)\b|\/dev\/[a-qs-z]|\b(?:losetup|findmnt|iotop)\b|df --/,
  linux: /\/dev\/r|\/Volumes/,
  win32: /\/(?:mnt|dev|var|proc|etc)|~|'|\b(?:sudo|df|ls|ulimit|dmesg|eval)\b|^\w+=|\$\?|&/,
};

test.each(['darwin', 'linux', 'win32'] as const)(
  'on %s, every example uses only paths and programs of that system, and gobonnie accepts it there',
  async (platform) => {
    const examples = readExplanations()
      .flatMap(({ examples }) => examplesFor(examples, platform))
      .map(({ command }) => command);
    expect(examples.length).toBeGreaterThan(50);
    for (const command of examples) {
      expect(command).not.toMatch(FOREIGN[platform]);
      const [, words] = /^(?:sudo )?gobonnie ((?:[^\s|&;<>()"]+(?: |$))+)$/.exec(command) ?? [];
      const name = words?.split(' ')[0];
      if (!words || commands.some((row) => row.name === name)) continue;
      const request = await requestFrom(words.split(' '));
      if (request.type === 'benchmark')
        planWith({ ...request.input, dir: undefined }, { platform, isRoot: true });
    }
  },
);

test('an explanation shows no examples if none works on the system', () => {
  expect(exampleLines([{ command: 'sudo dmesg | tail', comment: '' }], 'win32')).toBe('');
});
