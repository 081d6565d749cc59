import type { Given } from '../argv/asked.js';
import { optionRows, rowNamed } from '../argv/option-rows.js';
import type { Origin, Origins, Place } from './place.js';

/** The options of one source. */
export interface Layer {
  readonly given: Given;
  /** Null for flags. */
  readonly place: Place | null;
}

/** What counts of all of them, and where each comes from. */
export interface Stacked {
  readonly given: Given;
  readonly origins: Origins;
}

/**
 * The weakest source first. What cannot be meant together is decided by the strongest that has a word on it; within one
 * source it stays, and is refused later.
 */
export function stacked(layers: readonly Layer[]): Stacked {
  const given = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  for (const layer of layers) {
    const names = Object.keys(layer.given);
    // What is turned off contradicts nothing.
    for (const name of names)
      if (layer.given[name] !== false) for (const rival of rivalsOf(name)) given.delete(rival);
    for (const name of names) {
      const value = layer.given[name];
      given.set(name, value);
      if (layer.place) origins.set(name, { place: layer.place, value });
      else origins.delete(name);
    }
  }
  return { given: Object.fromEntries(given), origins };
}

function rivalsOf(name: string): readonly string[] {
  const others = Object.entries(optionRows).filter(([, { excludes }]) => excludes?.includes(name));
  return [...(rowNamed(name).excludes ?? []), ...others.map(([other]) => other)];
}
