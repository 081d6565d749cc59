import type { CommandComparison } from '../compare/comparison-schema.js';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { type CacheMethod, cacheMethodsFor, syncEverything } from '../run/cache/cache-method.js';
import { systemReason } from '../system-error.js';
import type { WorkDirectory } from './work-directory.js';

/** Empties the page cache before each run, in the best way that works. */
export class CommandCache {
  #methods: readonly CacheMethod[];
  readonly #mode: Options['cache'];
  #reason: string | null = null;

  constructor(mode: Options['cache'], [machine]: readonly Machine[]) {
    this.#mode = mode;
    this.#methods = machine ? cacheMethodsFor(mode, machine) : [];
    if (mode === 'keep') this.#reason = 'as requested';
    else if (this.#methods.length === 0) this.#reason = 'this user cannot empty it here';
  }

  get record(): CommandComparison['cache'] {
    return { applied: this.#methods[0]?.name ?? 'keep', reason: this.#reason };
  }

  async empty(work: WorkDirectory): Promise<void> {
    const [method, ...others] = this.#methods;
    if (!method) return;
    try {
      // The kernel drops only pages that are on the device.
      await syncEverything();
      await method.empty(method.name === 'evict' ? await work.listFiles() : []);
    } catch (error) {
      const reason = systemReason(error);
      if (this.#mode !== 'auto')
        throw new GobonnieError(
          'cache-failed',
          `--cache ${method.name} could not drop the page cache: ${reason}`,
          'pass --cache auto or --warm',
        );
      this.#methods = others;
      if (others.length === 0) this.#reason = reason;
      await this.empty(work);
    }
  }
}
