import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import {
  flag,
  formatFlag,
  type MessageTemplate,
  mapOptionRefs,
  msg,
  type OptionRef,
  optionRefs,
} from '../../text/message-template.js';

/** A dialect's flag for an option, and how many of its units make one of gobonnie's, if they differ. */
export type FlagName = string | { readonly name: string; readonly units: number };

/** By gobonnie's names of the options: gobonnie's `--size 1` is bonnie's `-s 1024`. */
export interface FlagNames {
  readonly names: Readonly<Record<string, FlagName>>;
  /** Whether the dialect has gobonnie's flags for all other options. */
  readonly hasOtherFlags?: boolean;
}

/** Absorbs floating-point error. */
const ROUNDING = 1e-6;

/** The error with the flags of a dialect. If the dialect lacks a flag of the hint, the hint is `gobonnie explain`. */
export function translateError(
  { names, hasOtherFlags: hasOthers = false }: FlagNames,
  error: unknown,
): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { message, hint } = error.templates;
  const translate = (text: MessageTemplate) =>
    mapOptionRefs(text, (named) => {
      const known = names[named.option];
      if (known !== undefined) return formatDialectFlag(known, named);
      return hasOthers ? named : `${formatFlag(named)} (gobonnie's own)`;
    });
  const isHintUsable = hasOthers || optionRefs(hint).every(({ option }) => option in names);
  return new GobonnieError(
    error.code,
    translate(message),
    isHintUsable ? translate(hint) : `see gobonnie explain ${error.code}`,
    { cause: error },
  );
}

function formatDialectFlag(known: FlagName, { value, rounding }: OptionRef): string {
  const name = typeof known === 'string' ? known : known.name;
  if (value === undefined) return name;
  if (typeof known === 'string' || typeof value !== 'number') return `${name} ${display(value)}`;
  const units = value * known.units;
  return `${name} ${rounding === 'up' ? Math.ceil(units - ROUNDING) : Math.floor(units + ROUNDING)}`;
}

/** An error about a file, which begins with its name, as one about the option that names the file. */
export function fileOptionMessage(option: string, file: string, { message }: GobonnieError): MessageTemplate {
  const name = display(file);
  const detail = message.startsWith(name) ? message.slice(name.length) : `: ${message}`;
  return msg`${flag(option, file)}${detail}`;
}
