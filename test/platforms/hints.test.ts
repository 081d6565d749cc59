import { getSystemErrorMap } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { GobonnieError } from '../../src/errors.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { WARNING_CODES } from '../../src/report/warning-catalogue.js';
import { renderMessage } from '../../src/text/message-template.js';
import { allWarnings, type TestSystem } from '../support/data/all-warnings.js';
import { planWith } from '../support/data/fixtures.js';

const SYSTEMS: readonly TestSystem[] = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
  [false, true].map((isRoot) => ({ platform, isRoot })),
);
const CACHE_MODES = ['auto', 'drop', 'evict', 'keep'] as const;
/** What only some systems have, as hints name it. */
const NAMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bproc\b|\bdd\b|\bapk\b|dmesg|pids\.max/, ['linux']],
  [/ulimit/, ['linux', 'darwin']],
  [/\/dev\/rdisk/, ['darwin']],
  [/\/dev\/sd|\bread the device\b/, ['linux']],
];

/** Parts of a hint that gobonnie would refuse, or that this user cannot do. */
function vainIn(hint: string, { platform, isRoot }: TestSystem): readonly string[] {
  const isVain = (options: OptionsInput) => rejectionOf(options, { platform, isRoot }) !== null;
  const modes = [...hint.matchAll(/--cache (auto|drop|evict|keep)/g)].map(([, mode]) => mode);
  return [
    ...(/-direct|-o_direct/.test(hint.replace('takes --direct', '')) && isVain({ direct: true })
      ? ['--direct']
      : []),
    ...CACHE_MODES.filter((cache) => modes.includes(cache) && isVain({ cache })),
    ...(/as root|sudo/.test(hint) && (isRoot || platform === 'win32') ? ['root'] : []),
    ...NAMES.flatMap(([name, systems]) =>
      name.test(hint) && !systems.includes(platform) ? [String(name)] : [],
    ),
  ];
}

function rejectionOf(options: OptionsInput, system: TestSystem): GobonnieError | null {
  try {
    planWith({ size: 1, ...options }, system);
    return null;
  } catch (error) {
    return error as GobonnieError;
  }
}

test.each(SYSTEMS)(
  'no hint of a warning on $platform names what is refused there (root: $isRoot)',
  (system) => {
    const warnings = allWarnings(system);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(WARNING_CODES));
    const vain = warnings.flatMap(({ code, hint }) =>
      vainIn(hint, system).map((part) => `${code}: ${hint}: ${part}`),
    );
    expect(vain).toEqual([]);
  },
);

test.each(SYSTEMS)(
  'no hint of a refusal on $platform names what is refused there (root: $isRoot)',
  (system) => {
    const asked = [{ direct: true }, ...CACHE_MODES.map((cache) => ({ cache }))];
    const hints = asked.map((options) => renderMessage(rejectionOf(options, system)?.hint ?? ''));
    expect(hints.flatMap((hint) => vainIn(hint, system))).toEqual([]);
  },
);

test.each(SYSTEMS)(
  'no hint of a system error on $platform names what is not there (root: $isRoot)',
  async (system) => {
    const { systemHint, SYSTEM_LOG, raiseLimitHint } = await onPlatform(system.platform);
    const hints = [...getSystemErrorMap()].map(([errno, [code, message]]) =>
      renderMessage(systemHint({ code, errno, message })),
    );
    expect(hints.length).toBeGreaterThan(50);
    const all = [...hints, SYSTEM_LOG, raiseLimitHint('`ulimit -v`')];
    expect(all.flatMap((hint) => vainIn(hint, system))).toEqual([]);
  },
);

/** The messages about errors, as they are on another system. */
async function onPlatform(platform: string) {
  const here = process.platform;
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', { value: here });
    vi.resetModules();
  });
  Object.defineProperty(process, 'platform', { value: platform });
  vi.resetModules();
  return import('../../src/system-error.js');
}
