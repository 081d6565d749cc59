import { getSystemErrorMap } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { GobonnieError } from '../../src/errors.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { renderMessage } from '../../src/text/message-template.js';
import { allWarnings, type TestSystem, WARNING_CODES } from '../support/data/all-warnings.js';
import { planWith } from '../support/data/fixtures.js';

const SYSTEMS: readonly TestSystem[] = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
  [false, true].map((isRoot) => ({ platform, isRoot })),
);
const CACHE_MODES = ['auto', 'drop', 'evict', 'keep'] as const;
/** Names in hints that exist only on some systems. */
const NAMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bproc\b|\bdd\b|\bapk\b|dmesg|pids\.max/, ['linux']],
  [/ulimit/, ['linux', 'darwin']],
  [/\/dev\/rdisk/, ['darwin']],
  [/\/dev\/sd|\bread the device\b/, ['linux']],
];

/** Returns the parts of a hint that gobonnie would reject, or that this user cannot follow. */
function findUselessAdvice(hint: string, { platform, isRoot }: TestSystem): readonly string[] {
  const isRejected = (options: OptionsInput) => getRejection(options, { platform, isRoot }) !== null;
  const modes = [...hint.matchAll(/--cache (auto|drop|evict|keep)/g)].map(([, mode]) => mode);
  const parts: string[] = CACHE_MODES.filter((cache) => modes.includes(cache) && isRejected({ cache }));
  if (/-direct|-o_direct/.test(hint) && isRejected({ direct: true })) parts.push('--direct');
  if (/as root|sudo/.test(hint) && (isRoot || platform === 'win32')) parts.push('root');
  for (const [name, systems] of NAMES)
    if (name.test(hint) && !systems.includes(platform)) parts.push(String(name));
  return parts;
}

function getRejection(options: OptionsInput, system: TestSystem): GobonnieError | null {
  try {
    planWith({ size: 1, ...options }, system);
    return null;
  } catch (error) {
    return error as GobonnieError;
  }
}

test.each(SYSTEMS)(
  'no warning on $platform advises something that gobonnie rejects there (root: $isRoot)',
  (system) => {
    const warnings = allWarnings(system);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(WARNING_CODES));
    const useless = warnings.flatMap(({ code, hint }) =>
      findUselessAdvice(hint, system).map((part) => `${code}: ${hint}: ${part}`),
    );
    expect(useless).toEqual([]);
  },
);

test.each(SYSTEMS)(
  'no rejection on $platform advises something that gobonnie rejects there (root: $isRoot)',
  (system) => {
    const inputs = [{ direct: true }, ...CACHE_MODES.map((cache) => ({ cache }))];
    const hints = inputs.map((options) => renderMessage(getRejection(options, system)?.hint ?? ''));
    expect(hints.flatMap((hint) => findUselessAdvice(hint, system))).toEqual([]);
  },
);

test.each(SYSTEMS)(
  'no hint of a system error on $platform names a missing program or file (root: $isRoot)',
  async (system) => {
    const { systemHint, SYSTEM_LOG, raiseLimitHint } = await importOnPlatform(system.platform);
    const hints = [...getSystemErrorMap()].map(([errno, [code, message]]) =>
      renderMessage(systemHint({ code, errno, message })),
    );
    expect(hints.length).toBeGreaterThan(50);
    const allHints = [...hints, SYSTEM_LOG, raiseLimitHint('`ulimit -v`')];
    expect(allHints.flatMap((hint) => findUselessAdvice(hint, system))).toEqual([]);
  },
);

/** Imports the error messages of another system. */
async function importOnPlatform(platform: string) {
  const originalPlatform = process.platform;
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', { value: originalPlatform });
    vi.resetModules();
  });
  Object.defineProperty(process, 'platform', { value: platform });
  vi.resetModules();
  return import('../../src/system-error.js');
}
