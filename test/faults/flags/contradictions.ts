/** The programs whose command lines gobonnie accepts, and its commands that read files. */
export type FrontEnd = 'gobonnie' | 'bonniego' | 'bonnie' | 'bonnie++' | 'getc-putc' | 'zones' | 'show';

/** For gobonnie and bonniego. */
const GOBONNIE_CASES = splitRows(`
  --one-file --data-files 2 | --phases write,seeks --one-file --data-files 1024 | --dry-run --one-file --data-files 3
  --file-size 1k --file-min-size 1025 | --file-min-size 1m --file-size 1023k --phases create
  --json --phases write | --json --phases write,read | --format json --phases write,iops
  --format=json -phases=create,stat,delete | --format bonnie --phases create,delete
  --format bonnie-html --phases create-random | --format bonnie-bray --phases create,stat
  --json --format text | --format report --json=true | --json=1 --format bonnie++-csv
  --quiet=true --verbose=1 | -q --dry-run -v | --out report.json --out report.txt | --out report.json --size 0
  --phases putc,read --byte-size 64k | --phases putc,rewrite,getc --byte-size 1 | --dry-run --phases read
  --phases create,seeks --seek-threads 2 | --phases write,create,stat-random | --phases create,delete,stat
  --block-size 768 --unique | --block-size 256 --verify | --block-size 1280 --compressible 10
  --direct --block-size 256 | --direct --io-size 2m | --one-file --io-size 2m | --dry-run --json --io-size 1g
  --io-size 1g | --io-size 1048577 | --threads 1024 | --threads 17 | --data-files 17 | --threads 4 --data-files 5
  --block-size 1g | --block-size 2m | --size 1e-7 | --size 5e-324 | --size 8388608 | --dry-run --size 0
  --phases create,delete --file-block-size 1g --threads 8 | --files 16777216 --file-size 1g --phases create
  --until-stable 5 --max-runs 2 | --max-runs 2 --runs 1 | --dir sample.raw | --dir sample.raw/below
`);

/** For the other front ends, by name. */
const OTHER_CASES: Readonly<Record<Exclude<FrontEnd, 'gobonnie' | 'bonniego'>, readonly string[]>> = {
  bonnie: splitRows(`
    -f html -f pdf | -f txt --html -f HTML | -v 1024 -s 8388609 | -v 1025 | -v 0 | -v 2 -s 4294967297 | -html=2
    -s 8589934593 | -s 1 -p 0 | -p 1025 | -S 1073741825 | -d sample.raw | -d missing
  `),
  'bonnie++': splitRows(`
    -s 0 -n 0 | -s0 -n0 -f | -s 1 -r 1 -n 0 | -s 1023 -r 512 -n 0 | -s 1 --size 2 | -s 1:::: -n 0
    -s 1:8k:10:2:3 -n 0 | -s 1:3k -n 0 | -s 1:128 -n 0 | -s 1:2m -n 0 | -s 1:0 -n 0 | -s 1:8k:0 -n 0
    -s 1:8k:10:0 -n 0 | -s 1:8k:10:1025 -n 0 | -s 8589934593 -n 0 | -s 9007199254740993g -n 0
    -n 16:10:1000 -s 0 | -n 1:1:1:1:1:1 -s 0 | -n 1:1000:10:4:3 -s 0 | -n 1:1000:10:4:2m -s 0
    -n 1:1000:10:100000 -s 0 | -n 16385 -s 0 | -n 1000 -r 1 | -n -1 -s 0 | -n 1:-3 -s 0
    -p 0 | -p -2 | -p 1.5 | -s 1 -n 0 -y x | -s 1 -n 0 -y sp | -s 1 -n 0 -x 0 | -s 1 -n 0 -c 0 | -s 1 -n 0 -c 1025
    -s 1 -n 0 -f-1 | -s 1 -n 0 -f0.5 | -s 1 -n 0 -f2m | -s 1 -n 0 -Z empty | -s 1 -n 0 -Z .
    -s 1 -n 0 -d missing | -s 1 -n 0 -d sample.raw
  `),
  'getc-putc': splitRows(`
    -s 4095 | -s 3m | -s 8796093022209 | -s 8589934593m | -s 4M4 | -s 4m -s 4k | -q -s 0m | -s -4096
    -s 4m -d missing | -s 4m -d sample.raw | -u root:root -g root
  `),
  zones: splitRows(`
    - | . | empty | missing | sample.csv | sample.raw/below | /dev/null | loop | sample.raw sample.raw | -- - | -b 1 -c 1
    -b 2 sample.raw | -b 0 sample.raw | -b 1025g sample.raw | -b 1048577 sample.raw | -b 1048576 sample.raw
    -b 1023k sample.raw | -b 1500k sample.raw | -c 0 sample.raw | -c 1.5 sample.raw
  `),
  show: splitRows(`
    - - | - sample.csv - | --format json | -f json sample.csv | -f report sample.csv | -f TEXT sample.csv
    sample.csv -f | --json sample.csv | -f text --out x sample.csv | -q sample.csv | -f bonnie++_csv sample.csv
  `),
};

/** Two commands, a command after a flag, an unknown command, and a command without its argument. */
export const CONFUSED_COMMANDS = splitRows(`
  bonnie bonnie++ | bonniego gobonniego | zones zones zones | --json bonnie | gobonniego show | bonnie++ getc-putc
  getc-putc show | --dir . show | -- bonnie | Bonnie | gobonnie | bonnie+ | zcav | show | zones
`);

/** Phases without the phase that creates their files, repeated phases, and unknown phases. */
const PHASE_LISTS = [
  ...['stat', 'delete', 'stat-random', 'read', 'rewrite', 'seeks', 'iops', 'getc,write', 'read,write,create'],
  ...['write,write', 'write, read ,write', 'create,write,stat,stat', 'putc,getc,getc', 'WRITE', 'Write,read'],
  ...[
    'writes',
    'write,read x',
    'write,re-ad',
    'write,iops0',
    'write,read\0',
    'write,\u001b[mread',
    'write,,read',
  ],
];

/** Valid flags that contradict each other. */
export const CONTRADICTIONS: readonly (readonly [FrontEnd, readonly string[]])[] = [
  ...(['gobonnie', 'bonniego'] as const).flatMap((name) => [
    ...GOBONNIE_CASES.map((row) => [name, row.split(' ')] as const),
    ...PHASE_LISTS.map((list) => [name, ['--phases', list]] as const),
  ]),
  ...Object.entries(OTHER_CASES).flatMap(([name, rows]) =>
    rows.map((row) => [name as FrontEnd, row.split(' ')] as const),
  ),
];

function splitRows(rows: string): readonly string[] {
  return rows.trim().split(/ \| |\n\s*/);
}
