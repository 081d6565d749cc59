import type { DataPattern } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { remoteKind } from '../machine/filesystem.js';
import type { Machine, Target } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { isSupportedOn, platformName } from '../options/platform-support.js';
import type { Warning } from '../report/schema/report.js';
import { systemHint, systemReason } from '../system-error.js';
import { flag, msg } from '../text/message-template.js';
import { createWarning } from '../warnings/warning-catalogue.js';

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

/** The warnings about a directory whose results differ from those of a plain disk. */
export function targetWarnings(target: Target, { kind }: DataPattern): readonly Warning[] {
  const { directory, filesystem, device, isMemory, compression } = target;
  const server = remoteKind(target);
  const warnings: Warning[] = [];
  if (isMemory) warnings.push(createWarning('memory-filesystem', { directory, filesystem, device }));
  if (server) warnings.push(createWarning('remote-filesystem', { directory, server, filesystem }));
  if (compression !== null && kind === 'same')
    warnings.push(createWarning('compressing-filesystem', { directory, compression }));
  return warnings;
}
