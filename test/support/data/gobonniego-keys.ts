/** The keys of gobonniego's JSON document, in their order. */
export const DOCUMENT_KEYS = [
  'version',
  'start_time',
  'gobonniego_directory',
  'disk_space_used_gib',
  'num_readers_and_writers',
  'physical_memory_bytes',
  'iops_duration_seconds',
  'results',
];

/** The keys of each result in the document. */
export const RESULT_KEYS = [
  'write_megabytes_per_second',
  'read_megabytes_per_second',
  'iops',
  'write_seconds',
  'read_seconds',
  'io_seconds',
  'start_time',
  'write_bytes',
  'read_bytes',
  'io_operations',
];

/** A time that jq's `fromdate` accepts. */
export const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
