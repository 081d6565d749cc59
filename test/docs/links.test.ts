import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.js';

const DOCS = readdirSync(path.join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'examples/README.md'],
  ...['src/scratch/README.md', ...DOCS],
];

const CODE = /^```[\s\S]*?^```$/gm;

/** Returns the anchors that GitHub gives to the headings of a page. */
function readAnchors(page: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(CODE, '');
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the targets of a page's links to files of the repository, as paths from its root. */
function readLinks(page: string): readonly { file: string; anchor: string | undefined }[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(CODE, '');
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { file: file === '' ? page : path.join(path.dirname(page), file), anchor };
    });
}

test.each(PAGES)('every link in %s leads to a file and a heading that exist', (page) => {
  const dead = readLinks(page).filter(
    ({ file, anchor }) =>
      !existsSync(path.join(ROOT, file)) || (anchor !== undefined && !readAnchors(file).includes(anchor)),
  );
  expect(dead).toEqual([]);
});

test('docs/README.md lists every page for users', () => {
  const linked = readLinks('docs/README.md').map(({ file }) => file);
  const developersOnly = ['docs/README.md', 'docs/architecture.md'];
  expect(DOCS.filter((page) => !linked.includes(page) && !developersOnly.includes(page))).toEqual([]);
});

test('README.md has at most 120 lines, and all pages together at most 3,000', () => {
  const countLines = (page: string) => readFileSync(path.join(ROOT, page), 'utf8').split('\n').length - 1;
  expect(countLines('README.md')).toBeLessThanOrEqual(120);
  const total = ['README.md', ...DOCS].reduce((sum, page) => sum + countLines(page), 0);
  expect(total).toBeLessThanOrEqual(3000);
});
