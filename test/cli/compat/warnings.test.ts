import { expect, test } from 'vitest';
import { bonnieLogFormatter, formatBonniePlusPlusLog } from '../../../src/cli/compat/log-formats.js';
import { WARNING_CODES } from '../../../src/report/schema/warning-codes.js';
import { allWarnings } from '../../support/data/all-warnings.js';

const WARNINGS = allWarnings({ platform: 'linux', isRoot: false });

/** bonnie and bonnie++ lack most of gobonnie's flags, so they print a warning without its hint. */
test.each(WARNING_CODES)(
  'the message of %s names no flag, and bonnie and bonnie++ print only the message',
  (code) => {
    const warning = WARNINGS.find((one) => one.code === code);
    if (!warning) throw new Error(`no warning has the code ${code}`);
    expect(warning.message).not.toMatch(/(?<!\S)--?[a-z]/i);
    for (const formatLog of [bonnieLogFormatter(false), formatBonniePlusPlusLog]) {
      const [line = '', ...more] = formatLog({ type: 'warning', warning }, false);
      expect(more).toEqual([]);
      expect(line).toContain(warning.message);
      expect(line).not.toContain(warning.hint);
    }
  },
);
