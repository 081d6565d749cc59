import { GobonnieError } from '../errors.js';
import type { Machine, Target } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { isSupportedOn, platformName } from '../options/platform-support.js';
import { systemHint, systemReason } from '../system-error.js';
import { flag, msg } from '../text/message-template.js';

export function rejectUnusableDirectory({ directory, exists, isDirectory, accessError }: Target): void {
  if (isDirectory && !accessError) return;
  const problem = isDirectory ? 'cannot be written to' : 'is not a directory';
  const part = isDirectory ? 'the directory above it' : 'a part of its path';
  const message = msg`${flag('dir', directory)} ${exists ? problem : `cannot be created: ${part} ${problem}`}`;
  throw accessError && isDirectory
    ? new GobonnieError(
        'directory-unusable',
        msg`${message}: ${systemReason(accessError)}`,
        systemHint(accessError),
      )
    : new GobonnieError('directory-unusable', message, 'pass the path of a directory');
}

export function rejectCacheMode({ cache }: Options, { platform, isRoot }: Machine): void {
  if (cache === 'auto' || cache === 'keep') return;
  const isPossible = isSupportedOn(cache, platform);
  const needsRoot = isPossible && cache === 'drop' && !isRoot;
  if (isPossible && !needsRoot) return;
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('cache', cache)} ${needsRoot ? 'needs root' : `does not work on ${platformName(platform)}`}`,
    msg`pass ${flag('cache', 'auto')}, which uses the best available method`,
  );
}
