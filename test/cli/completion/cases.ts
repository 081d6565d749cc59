/** The offers of every shell at the end of a line. */
export const OFFERS: readonly [line: string, offers: readonly string[]][] = [
  ['gobonnie sh', ['show']],
  ['gobonnie --ca', ['--cache']],
  ['gobonnie --cache ', ['auto', 'drop', 'evict', 'keep']],
  ['gobonnie --cache=e', ['evict']],
  ['gobonnie -cache e', ['evict']],
  ['gobonnie --size 1 --direct --byte-mode ', ['locked', 'syscall', 'unlocked']],
  ['gobonnie --file-kind ', ['files', 'hard-links', 'symlinks']],
  ['gobonnie --format bonnie+', ['bonnie++', 'bonnie++-csv']],
  ['gobonnie gobonniego --cache d', ['drop']],
  ['gobonnie bonniego --format rep', ['report']],
  ['gobonnie show -f js', ['json']],
  ['gobonnie compare --format ', ['json', 'markdown', 'text']],
  ['gobonnie bonnie -f ', ['html', 'txt']],
  ['gobonnie bonnie++ -y ', ['p', 's']],
  ['gobonnie completion ', ['bash', 'fish', 'powershell', 'zsh']],
  ['gobonnie explain memory', ['memory-filesystem', 'memory-too-small']],
  ['npx gobonnie comple', ['completion']],
  ['npx --yes gobonnie --cache e', ['evict']],
];

/** The offers for the last value of a comma-separated list. */
export const LISTS: readonly [line: string, offers: readonly string[]][] = [
  ['gobonnie --phases get', ['getc']],
  ['gobonnie --phases write,re', ['read', 'rewrite']],
  ['gobonnie --phases=write,re', ['read', 'rewrite']],
  ['gobonnie --phases write,read,re', ['rewrite']],
  ['gobonnie -phases write,g', ['getc']],
];

/** Lines without offers. */
export const NOTHING: readonly string[] = [
  'gobonnie --size ',
  'gobonnie --label=',
  'gobonnie --size 1 sh',
  'gobonnie --cache x',
  'gobonnie nothing --x',
  'gobonnie bonnie++ -s ',
];

/** The words that the program receives after Tab and Enter. */
export const PATHS: readonly [line: string, words: readonly string[]][] = [
  ['gobonnie --out pl', ['--out', 'plain.json']],
  ['gobonnie --out m', ['--out', 'my * report.json']],
  ['gobonnie --out=m', ['--out=my * report.json']],
  ['gobonnie --baseline i', ['--baseline', "it's $(touch obeyed).json"]],
  ['gobonnie show a', ['show', 'and;touch obeyed;b.json']],
  ['gobonnie show \\`', ['show', '`touch obeyed`.json']],
  ['gobonnie show "m', ['show', 'my * report.json']],
  ['gobonnie compare plain.json m', ['compare', 'plain.json', 'my * report.json']],
  ['gobonnie zones p', ['zones', 'plain.json']],
  ['gobonnie --dir d', ['--dir', 'deep $(touch obeyed)']],
  ['gobonnie --dir=e', ['--dir=enough; touch obeyed']],
  ['gobonnie -dir s', ['-dir', 'sub']],
  ['gobonnie --dir p', ['--dir', 'p']],
  ['gobonnie clean s', ['clean', 'sub']],
  ['gobonnie clean p', ['clean', 'p']],
  ['gobonnie bonnie++ -d s', ['bonnie++', '-d', 'sub']],
  ['gobonnie bonnie++ -Z p', ['bonnie++', '-Z', 'plain.json']],
  ['npx gobonnie --out m', ['gobonnie', '--out', 'my * report.json']],
];

/** Lines that create a file if the shell evaluates any of their words. */
export const HOSTILE: readonly string[] = [
  'gobonnie $(touch obeyed) --cache e',
  'gobonnie `touch obeyed` ',
  'gobonnie --cache $(touch obeyed)',
  'gobonnie --cache "`touch obeyed`',
  'gobonnie --phases $(touch obeyed),re',
  'gobonnie --phases=`touch obeyed`,',
  "gobonnie --dir '$(touch obeyed)",
  'gobonnie "$(touch obeyed)" --',
  'gobonnie explain $obeyed`touch obeyed`',
  'gobonnie --format a[$(touch obeyed)]',
  'npx $(touch obeyed) gobonnie ',
  'npx gobonnie $(touch obeyed) --cache e',
];
