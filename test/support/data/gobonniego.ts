/** A result in gobonniego's README. */
export const RESULT = {
  write_megabytes_per_second: 1312.8274662905276,
  read_megabytes_per_second: 8279.508528024262,
  iops: 382508.71617051313,
  write_seconds: 0.408942474,
  read_seconds: 0.064843331,
  io_seconds: 0.724610939,
  start_time: '2018-04-12T06:46:00.274972832-07:00',
  write_bytes: 536870912,
  read_bytes: 536870912,
  io_operations: 277170,
};

/** The whole document of this result. */
export const DOCUMENT = {
  version: '1.0.9',
  start_time: '2018-04-12T06:46:00.274348275-07:00',
  gobonniego_directory: '/var/folders/zp/T/gobonniegoParent456127644/gobonniego',
  disk_space_used_gib: 0.5,
  num_readers_and_writers: 4,
  physical_memory_bytes: 17179869184,
  iops_duration_seconds: 0.5,
  results: [RESULT],
};

/** The keys of gobonniego's JSON document and of each result, in their order. */
export const DOCUMENT_KEYS = Object.keys(DOCUMENT);
export const RESULT_KEYS = Object.keys(RESULT);

/** A time that jq's `fromdate` accepts. */
export const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
