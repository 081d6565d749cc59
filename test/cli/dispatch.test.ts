import { expect, test } from 'vitest';
import { gobonnieHere } from '../support/programs/program-here.js';

test.each([
  [['shwo', 'x.json'], 'there is no command or argument shwo; did you mean show?'],
  [['compere'], 'there is no command or argument compere; did you mean compare?'],
  [['--size', '1', 'show'], 'show must come before any flag; type gobonnie show and then its flags'],
  [['fly'], 'there is no command or argument fly; see gobonnie --help'],
  [['bonniego', 'shwo'], 'there is no command or argument shwo; see gobonnie bonniego --help'],
])('gobonnie %j is refused, with the command that may be meant', async (args, line) => {
  const { stdout, stderr, exitCode } = await gobonnieHere(args);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});
