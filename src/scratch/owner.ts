import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import { shown } from '../text/escape.js';
import { isLiving, type Life, ownLife } from './living.js';

/** One process among those of all machines, all their starts and all containers. */
export interface Owner extends Life {
  readonly host: string;
  /** A hash of the machine's number, as that is nobody else's business. Empty where the system does not tell. */
  readonly machine: string;
  /** Of the machine's start. Empty where the system does not tell. */
  readonly boot: string;
  /** Within which its number means something. Empty where there is only one. */
  readonly pidNamespace: string;
}

export function ownOwner(): Owner {
  return {
    host: os.hostname(),
    machine: hashOf(told(() => readFileSync('/etc/machine-id', 'latin1'))),
    boot: told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')),
    pidNamespace: told(() => readlinkSync('/proc/self/ns/pid')),
    ...ownLife(),
  };
}

/** Why it may be alive; null for one that is certainly dead. */
export function reasonToLive(owner: Owner): string | null {
  const here = ownOwner();
  if (owner.host !== here.host)
    return `it was made on ${shown(owner.host)}, which alone can tell whether it is in use`;
  if ((owner.boot === '') !== (here.boot === ''))
    return 'without /proc it cannot be told whether it is in use';
  if (owner.boot !== here.boot) {
    // Storage may be shared by machines that were given the same name.
    const isHere = owner.machine !== '' && owner.machine === here.machine;
    return isHere
      ? null
      : 'it may have been made on another machine of this name, which alone can tell whether it is in use';
  }
  if (owner.pidNamespace !== here.pidNamespace)
    return 'it was made in another container, which alone can tell whether it is in use';
  return isLiving(owner) ? `process ${owner.pid} is at work in it` : null;
}

function told(ask: () => string): string {
  try {
    return ask().trim();
  } catch {
    return '';
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : createHash('sha256').update(text).digest('hex');
}
