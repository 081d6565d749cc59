import { expect, test } from 'vitest';
import { programName, withProgramName } from '../../../src/cli/output/terminal.js';

test.each([
  ['x; see gobonnie --help', 'x; see npx gobonnie --help'],
  ['x; see gobonnie bonnie++ --help', 'x; see npx gobonnie bonnie++ --help'],
  ['x (gobonnie explain cliff)', 'x (npx gobonnie explain cliff)'],
  [
    'pass for example gobonnie ab /mnt/volume /var/tmp',
    'pass for example npx gobonnie ab /mnt/volume /var/tmp',
  ],
  ['with npx gobonnie explain cliff', 'with npx gobonnie explain cliff'],
  ['gobonnie: unknown code x', 'gobonnie: unknown code x'],
  ['cannot remove /mnt/gobonnie clean it', 'cannot remove /mnt/gobonnie clean it'],
  ['another gobonnie measures there', 'another gobonnie measures there'],
])('"%s" becomes "%s" under npx, and otherwise remains unchanged', (line, npxLine) => {
  expect(withProgramName(line, { npm_command: 'exec' })).toBe(npxLine);
  expect(withProgramName(line, {})).toBe(line);
});

test.each([
  ['gobonnie', {}],
  ['npx gobonnie', { npm_command: 'exec' }],
  ['npx gobonnie', { npm_command: 'run-script' }],
])('the program is %s with the environment %j', (name, env) => {
  expect(programName(env)).toBe(name);
});
