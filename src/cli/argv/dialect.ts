import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import {
  flag,
  formatFlag,
  type MessageTemplate,
  mapOptionRefs,
  msg,
  type OptionRef,
} from '../../text/message-template.js';

/** A dialect's flag for an option. `units` converts gobonnie's unit to the dialect's unit if they differ. */
type FlagName = string | { readonly name: string; readonly units: number };

/** A dialect's flags by gobonnie's option names: gobonnie's `--size 1` is bonnie's `-s 1024`. */
export type FlagNames = Readonly<Record<string, FlagName>>;

/** Absorbs floating-point error. */
const ROUNDING = 1e-6;

/**
 * Puts a dialect's flags into the error. If it lacks a flag of the hint, the hint is `gobonnie explain`. `hasOtherFlags`: it has
 * gobonnie's flags for all other options.
 */
export function translateError(names: FlagNames, error: unknown, hasOtherFlags = false): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { message, hint } = error.templates;
  const translate = (text: MessageTemplate) =>
    mapOptionRefs(text, (ref) => {
      const dialectFlag = names[ref.option];
      if (dialectFlag !== undefined) return formatDialectFlag(dialectFlag, ref);
      return hasOtherFlags ? ref : `${formatFlag(ref)} (gobonnie's own)`;
    });
  const isHintUsable =
    hasOtherFlags || [hint].flat().every((part) => typeof part === 'string' || part.option in names);
  return new GobonnieError(
    error.code,
    translate(message),
    isHintUsable ? translate(hint) : `see gobonnie explain ${error.code}`,
    { cause: error },
  );
}

function formatDialectFlag(dialectFlag: FlagName, { value, rounding }: OptionRef): string {
  const name = typeof dialectFlag === 'string' ? dialectFlag : dialectFlag.name;
  if (value === undefined) return name;
  if (typeof dialectFlag === 'string' || typeof value !== 'number') return `${name} ${display(value)}`;
  const units = value * dialectFlag.units;
  return `${name} ${rounding === 'up' ? Math.ceil(units - ROUNDING) : Math.floor(units + ROUNDING)}`;
}

/** Rewords an error that begins with a file name: it then begins with the option for that file. */
export function fileOptionMessage(option: string, file: string, { message }: GobonnieError): MessageTemplate {
  const name = display(file);
  const detail = message.startsWith(name) ? message.slice(name.length) : `: ${message}`;
  return msg`${flag(option, file)}${detail}`;
}
