import { expect, test } from 'vitest';
import { commandToType, withProgramName } from '../../../src/cli/argv/program-name.js';

test.each([
  ['x; see gobonnie --help', 'x; see npx gobonnie --help'],
  ['x; see gobonnie bonnie++ --help', 'x; see npx gobonnie bonnie++ --help'],
  ['x; gobonnie quick takes 30 s', 'x; npx gobonnie quick takes 30 s'],
  ['type gobonnie dev and then its flags', 'type npx gobonnie dev and then its flags'],
  [
    'pass for example gobonnie ab /mnt/volume /var/tmp',
    'pass for example npx gobonnie ab /mnt/volume /var/tmp',
  ],
  ['with npx gobonnie explain cliff', 'with npx gobonnie explain cliff'],
  ['cannot remove /mnt/gobonnie clean it', 'cannot remove /mnt/gobonnie clean it'],
  ['another gobonnie measures there', 'another gobonnie measures there'],
])('"%s" becomes "%s" under npx, and otherwise remains unchanged', (line, npxLine) => {
  expect(withProgramName(line, { npm_command: 'exec' })).toBe(npxLine);
  expect(withProgramName(line, { npm_command: 'run-script' })).toBe(npxLine);
  expect(withProgramName(line, {})).toBe(line);
});

test.each([
  ['gobonnie --size 1 --json | jq .', 'npx gobonnie --size 1 --json | jq .'],
  ['bonnie++ -q | gobonnie show -', 'bonnie++ -q | npx gobonnie show -'],
  ['eval "$(gobonnie completion bash)"', 'eval "$(npx gobonnie completion bash)"'],
  ['cd /srv/gobonnie', 'cd /srv/gobonnie'],
  ['gobonnie', 'npx gobonnie'],
])('the example %j is %j under npx', (command, npxCommand) => {
  expect(commandToType(command, { npm_command: 'exec' })).toBe(npxCommand);
  expect(commandToType(command, {})).toBe(command);
});
