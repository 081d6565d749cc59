import { expect } from 'vitest';
import { pickBenchmarkOptions } from '../../../src/cli/argv/cli-catalogue.js';
import type { CliCommand } from '../../../src/cli/argv/define-command.js';
import { type FlagNames, translateError } from '../../../src/cli/argv/dialect.js';
import type { BenchmarkRequest } from '../../../src/cli/request.js';
import type { GobonnieError } from '../../../src/errors.js';
import { validateOptions } from '../../../src/options/validate-options.js';

/** Splits a command line at its spaces. Pass an array for an argument that is empty or contains a space. */
function splitArgs(line: string | readonly string[]): readonly string[] {
  return typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
}

export function parseRequest(command: CliCommand, line: string | readonly string[]): BenchmarkRequest {
  const request = command.parse(splitArgs(line));
  if (request.type !== 'benchmark') throw new Error(`it is a request to ${request.type}`);
  return request;
}

export function readHelp(command: CliCommand): string {
  const request = command.parse(['--help']);
  if (request.type !== 'print') throw new Error(`--help is a request to ${request.type}`);
  return request.text;
}

/** Returns the default of each flag in the help, in order. */
export function defaultsInHelp(command: CliCommand): readonly string[] {
  const text = readHelp(command).replace(/\s+/g, ' ');
  return [...text.matchAll(/\(default: ([^)]*)\)/g)].map(([, value = '']) => value);
}

/** Returns the error line that rejects these arguments, with the flags of the dialect. */
export function rejectionLine(command: CliCommand, line: string | readonly string[]): string {
  let names: FlagNames = {};
  try {
    const { rawOptions, flagNames = names } = parseRequest(command, line);
    names = flagNames;
    validateOptions(pickBenchmarkOptions(rawOptions));
  } catch (error) {
    expect(error).toMatchObject({ name: 'GobonnieError', kind: 'usage' });
    return (translateError(names, error) as GobonnieError).line;
  }
  return 'not rejected';
}
