import { GobonnieError } from '../errors.js';
import type { Machine, Target } from '../machine/machine.js';
import type { Options } from '../options/schema.js';
import { canOn, systemName } from '../options/systems.js';
import { systemHint, systemReason } from '../system-error.js';
import { flag, sentence } from '../text/sentence.js';

export function refuseUnusableDirectory({ directory, exists, isDirectory, accessError }: Target): void {
  if (isDirectory && !accessError) return;
  const problem = isDirectory ? 'cannot be written to' : 'is not a directory';
  const part = isDirectory ? 'the directory above it' : 'a part of its path';
  const message = sentence`${flag('dir', directory)} ${exists ? problem : `cannot be created: ${part} ${problem}`}`;
  throw accessError && isDirectory
    ? new GobonnieError(
        'directory-unusable',
        sentence`${message}: ${systemReason(accessError)}`,
        systemHint(accessError),
      )
    : new GobonnieError('directory-unusable', message, 'pass the path of a directory');
}

export function refuseCacheMode({ cache }: Options, { platform, isRoot }: Machine): void {
  if (cache === 'auto' || cache === 'keep') return;
  const isPossible = canOn(cache, platform);
  const needsRoot = isPossible && cache === 'drop' && !isRoot;
  if (isPossible && !needsRoot) return;
  throw new GobonnieError(
    'option-invalid',
    sentence`${flag('cache', cache)} ${needsRoot ? 'needs root' : `does not work on ${systemName(platform)}`}`,
    sentence`pass ${flag('cache', 'auto')}, which does the best available`,
  );
}
