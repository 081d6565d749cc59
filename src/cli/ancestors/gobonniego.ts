import { version } from '../../version.js';
import { askedFor } from '../argv/asked.js';
import { commandOf, type Face } from '../argv/face.js';
import { lexGo } from '../argv/lexing.js';
import { exampleOf, optionOf } from '../argv/option.js';
import { optionRows, settingRows } from '../argv/option-rows.js';
import type { Narrate } from '../output/narration.js';
import type { Dialect, Request } from '../request.js';

const NOTES =
  'The page cache is emptied before the reads, so that they come from the disk and not from memory: all of it as ' +
  "root, else that of the test's own files. A warning says where memory served them.\n" +
  "Flags may be written as gobonniego's, too: -size 0.5, -size=0.5, -json=true.";

interface GoDialect extends Pick<Dialect, 'name' | 'summary'> {
  /** What is its own in what it tells of itself. */
  readonly face: Pick<Face, 'name' | 'usage' | 'examples'>;
  /** The format of its lines. */
  readonly text: string;
  readonly loadNarrate: () => Promise<Narrate>;
  /** Whether options may come from a file and from variables, too. */
  readonly isConfigurable?: true;
}

/** A front end with gobonniego's flags, and what gobonnie adds to them. */
export function goDialect({ name, summary, face, text, loadNarrate, isConfigurable }: GoDialect): Dialect {
  return {
    name,
    summary,
    group: 'As its ancestors',

    command: () =>
      commandOf({
        ...face,
        description: 'Measures how fast a disk is: sequential write, sequential read and IOPS.',
        options: Object.entries(isConfigurable ? optionRows : settingRows).map(([name, row]) =>
          optionOf(name, row),
        ),
        lastGroup: 'Other',
        notes: NOTES,
      }).version(`gobonnie version ${version}`, '--version', 'print the version'),

    read(args): Request {
      const command = this.command();
      const lexed = lexGo(command, args, exampleOf);
      if (typeof lexed === 'string') return { type: 'say', text: lexed };
      const { sources, ...asked } = askedFor(lexed);
      return {
        type: 'benchmark',
        ...asked,
        ...(isConfigurable ? { sources } : {}),
        formats: [text],
        loadNarrate,
      };
    },
  };
}

export const gobonniego = goDialect({
  name: 'gobonniego',
  summary: "gobonniego's flags and lines, which are gobonnie's own",
  face: {
    name: 'gobonnie',
    usage: '[options]\n       gobonnie COMMAND --help',
    examples: [
      { command: 'gobonnie', does: "the system's temporary directory, twice the memory" },
      { command: 'gobonnie --dir /mnt/disk --size 4', does: 'another disk, and a quicker answer' },
      { command: 'gobonnie --threads 64 --direct --io-size 4k', does: 'load a fast disk' },
      {
        command: 'gobonnie --runs 5 --out disk.json',
        does: 'how sure the figures are, and all there is to know',
      },
      { command: 'gobonnie --json | jq .results', does: 'for programs' },
      { command: "gobonnie --size 1 --expect 'write>=200MB/s'", does: 'exit code 3 where it is slower' },
      { command: 'gobonnie --dry-run', does: 'what would be done' },
    ],
  },
  text: 'text',
  loadNarrate: async () => (await import('../output/narration.js')).narrate,
  isConfigurable: true,
});
