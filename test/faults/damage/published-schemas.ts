import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../support/root.js';

/** The keywords of JSON Schema that the published schemas use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** The published schema of a report. */
export const REPORT_SCHEMA: Schema = JSON.parse(
  readFileSync(path.join(ROOT, 'schema/gobonnie-1.schema.json'), 'utf8'),
);

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const number: Schema = { type: 'number', minimum: 0, maximum: Number.MAX_VALUE };
/** A larger number of megabytes would be an infinite number of bytes. */
const megabytes: Schema = { ...number, maximum: Number.MAX_VALUE / 1e6 };
const gibibytes: Schema = { ...number, maximum: Number.MAX_VALUE / 1024 ** 3 };
const time: Schema = REPORT_SCHEMA.properties?.startedAt ?? {};
const optional = (names: string, schema: Schema) =>
  Object.fromEntries(names.split(' ').map((name) => [name, orNull(schema)]));

/** gobonniego's document: only the three rates exist in all versions. */
export const DOCUMENT_SCHEMA: Schema = {
  type: 'object',
  required: ['results'],
  properties: {
    version: orNull({ type: 'string' }),
    start_time: orNull(time),
    disk_space_used_gib: orNull(gibibytes),
    num_readers_and_writers: orNull({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['write_megabytes_per_second', 'read_megabytes_per_second', 'iops'],
        properties: {
          write_megabytes_per_second: megabytes,
          read_megabytes_per_second: megabytes,
          iops: number,
          start_time: orNull(time),
          ...optional('write_bytes read_bytes io_operations write_seconds read_seconds io_seconds', number),
        },
      },
    },
  },
};

/** Returns true if a value matches the schema. */
export function matchesSchema(schema: Schema, value: unknown): boolean {
  const { type, properties = {}, required = [], items, anyOf, oneOf, pattern } = schema;
  if (anyOf || oneOf)
    return [...(anyOf ?? []), ...(oneOf ?? [])].some((option) => matchesSchema(option, value));
  if (type !== undefined && ![type].flat().some((name) => hasType(name, value))) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.const !== undefined && schema.const !== value) return false;
  if (typeof value === 'number') return isWithin(schema, value);
  if (typeof value === 'string') return pattern === undefined || new RegExp(pattern).test(value);
  if (Array.isArray(value)) return items === undefined || value.every((item) => matchesSchema(items, item));
  if (typeof value !== 'object' || value === null) return true;
  const fields = new Map(Object.entries(value));
  return (
    required.every((name) => fields.has(name)) &&
    Object.entries(properties).every(([name, of]) => !fields.has(name) || matchesSchema(of, fields.get(name)))
  );
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function isWithin({ minimum, exclusiveMinimum, maximum }: Schema, value: number): boolean {
  return (
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY)
  );
}
