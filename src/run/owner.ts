import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import { shown } from '../errors.js';
import { isLiving, type Life, ownLife } from './living.js';

/** One process among those of all machines, all their starts and all containers. */
export interface Owner extends Life {
  readonly host: string;
  /** Of the machine's start. Empty where the system does not tell. */
  readonly boot: string;
  /** Within which its number means something. Empty where there is only one. */
  readonly pidNamespace: string;
}

export function ownOwner(): Owner {
  return {
    host: os.hostname(),
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
  if (owner.boot !== here.boot) return null;
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
