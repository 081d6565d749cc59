import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { requireTools } from '../../support/tools.js';
import { pages } from './pages.js';

const CHROMIUM = '/usr/bin/chromium';
/** Disables Chromium's own connections, and the sandbox, which root cannot use. */
const QUIET = ['sandbox', 'first-run'].map((name) => `--no-${name}`);
const OFF = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map(
  (name) => `--disable-${name}`,
);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists each violation with the first element that it affects. */
const VIOLATIONS = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

beforeEach(requireTools(CHROMIUM));

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await chromium
    .launch({ executablePath: CHROMIUM, args: [...QUIET, ...OFF] })
    .catch(() => undefined);
});
afterAll(async () => {
  await browser?.close();
});

interface OpenPage {
  readonly page: Page;
  /** Log messages and errors, and requests other than for the page. */
  readonly noise: readonly string[];
}

async function openPage(
  html: string,
  options: BrowserContextOptions = {},
  policy?: string,
): Promise<OpenPage> {
  if (!browser) throw new Error('Chromium did not start');
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const noise: string[] = [];
  const file = path.join(makeDirectory(), 'page.html');
  writeFileSync(file, html);
  const url = policy === undefined ? pathToFileURL(file).href : 'http://jenkins.example/page.html';
  page.on('console', (message) => noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('request', (request) => {
    if (request.url() !== url) noise.push(request.url());
  });
  if (policy !== undefined)
    await page.route(url, (route) =>
      route.fulfill({ body: html, contentType: 'text/html', headers: { 'Content-Security-Policy': policy } }),
    );
  await page.goto(url);
  return { page, noise };
}

const FAULTS = readFileSync(new URL('page-faults.js', import.meta.url), 'utf8');

/** The printable part of a sheet of A4, with margins of 1 cm. */
const PAPER = { width: 718, height: 1047 };

/** Lists the parts that a sheet may cut. */
const BROKEN = `[...document.querySelectorAll('figure:has(figcaption), .card')].filter((one) =>
  getComputedStyle(one).breakInside !== 'avoid' || one.offsetHeight > ${PAPER.height}).map((one) => one.innerText)`;

/** Unfolds all parts of the page. */
async function openDetails(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
}

const chartsIn = (html: string) => html.match(/<svg class="chart"/g)?.length ?? 0;

test.each(Object.entries(pages))(
  'the page of %s logs and loads nothing, cuts no number, overlaps no label, is accessible, and prints whole charts',
  async (_, html) => {
    const { page, noise } = await openPage(html);
    await openDetails(page);
    for (const width of [400, 1200, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(FAULTS), `${width} pixels wide`).toEqual([]);
    }
    expect(noise).toEqual([]);
    await page.evaluate(AXE);
    await page.setViewportSize({ width: 360, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(VIOLATIONS), colorScheme).toEqual([]);
    }
    await page.setViewportSize(PAPER);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(BROKEN), 'on paper').toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PAPER.width);
  },
);

test.each(['a job of five hosts', 'two mixed sweeps'])(
  'the page of %s shows every chart with a policy that forbids scripts and styles',
  async (name) => {
    const html = pages[name] ?? '';
    const { page } = await openPage(html, {}, "sandbox; default-src 'none'");
    await openDetails(page);
    const visibleCount = await page
      .locator('svg.chart:has(polyline, rect, circle)')
      .evaluateAll((charts) => charts.filter((chart) => chart.getBoundingClientRect().height > 30).length);
    expect(visibleCount).toBe(chartsIn(html));
  },
);

test('everything of a run down to its charts fits in 1,200 by 1,300 pixels', async () => {
  const { page } = await openPage(pages['three runs'] ?? '', { viewport: { width: 1200, height: 1300 } });
  const bottoms = await page
    .locator('section:has(svg.chart)')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
  expect(bottoms).toHaveLength(2);
  expect(Math.max(...bottoms)).toBeLessThan(1300);
});

test('a page shows hostile names as text, not as markup', async () => {
  const { page } = await openPage(pages['hostile names'] ?? '');
  expect(await page.locator('script, img, [onload]').count()).toBe(0);
  expect(await page.locator('h2').allTextContents()).toContainEqual(
    expect.stringContaining('<script>alert(1)</script>'),
  );
});

test('a click selects the whole command that repeats the measurement', async () => {
  const { page } = await openPage(pages['one run'] ?? '');
  await page.locator('pre').first().click();
  expect(await page.evaluate('getSelection().toString()')).toMatch(/^npx gobonnie --dir .* --seed \d+/);
});
