import { display } from '../../text/escape.js';
import { groupBy } from '../../text/groups.js';
import { pluralize } from '../../text/units.js';
import type { Measurement, Warning } from '../schema/report.js';
import type { Circumstances } from './circumstances.js';
import { mergeParts, type Part } from './merge-ranks.js';
import { warningsOf } from './warnings.js';

/** Of the hosts that a warning is about. */
const MOST_NAMED = 3;

/** A warning that is about some of the hosts of a job. */
export function onHosts(warning: Warning, hosts: readonly string[]): Warning {
  const left = hosts.length - MOST_NAMED;
  const more = left > 0 ? ` and ${pluralize(left, 'other host')}` : '';
  const names = `${hosts.slice(0, MOST_NAMED).map(display).join(', ')}${more}`;
  return { ...warning, hosts: [...hosts], message: `on ${names}: ${warning.message}` };
}

/** What a phase of a job calls for: where only some hosts do, the figures of these. */
export function warningsOfJob(
  whole: Measurement,
  parts: readonly Part[],
  where: Circumstances,
): readonly Warning[] {
  const hosts = groupBy(parts, ({ host }) => host);
  const told = hosts.flatMap((ofHost) =>
    warningsOf([mergeParts(ofHost)], where).map((warning) => ({ warning, ofHost })),
  );
  const bySome = groupBy(told, ({ warning }) => warning.code).filter(({ length }) => length < hosts.length);
  const ofSome = bySome.map(([{ warning, ofHost }, ...others]) => {
    const those = [...ofHost, ...others.flatMap((one) => one.ofHost)] as const;
    const together = warningsOf([mergeParts(those)], where).find(({ code }) => code === warning.code);
    return onHosts(together ?? warning, [...new Set(those.map(({ host }) => host))]);
  });
  const codes = new Set(ofSome.map(({ code }) => code));
  return [...warningsOf([whole], where).filter(({ code }) => !codes.has(code)), ...ofSome];
}
