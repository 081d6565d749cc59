import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

beforeEach(requireTools(CHROMIUM, 'pdftotext'));

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

const FAULTS = readFileSync(new URL('chart-faults.js', import.meta.url), 'utf8');

const chartsIn = (html: string) => html.match(/<svg /g)?.length ?? 0;
const namedPages = Object.entries(pages);

describe.each(namedPages)('the page of %s', (_, html) => {
  test('logs and loads nothing, and truncates and overlaps no label, on a phone and on a wide screen', async () => {
    const { page, noise } = await openPage(html);
    for (const width of [360, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(FAULTS)).toEqual([]);
    }
    expect(noise).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'violates no accessibility rule of axe in the %s scheme',
    async (colorScheme) => {
      const { page } = await openPage(html, { viewport: { width: 360, height: 800 }, colorScheme });
      await page.evaluate(AXE);
      expect(await page.evaluate(VIOLATIONS)).toEqual([]);
    },
  );

  test.each([
    ['scripts off', undefined, { javaScriptEnabled: false }],
    ['a policy that forbids scripts and styles', "sandbox; default-src 'none'", {}],
  ])('shows every chart with %s', async (_, policy, options) => {
    const { page } = await openPage(html, options, policy);
    const visibleCount = await page
      .locator('svg.chart:has(polyline, rect, circle)')
      .evaluateAll((charts) => charts.filter((chart) => chart.getBoundingClientRect().height > 30).length);
    expect(visibleCount).toBe(chartsIn(html));
  });

  test('prints each chart on one sheet', async () => {
    const { page } = await openPage(html);
    const file = path.join(makeDirectory(), 'page.pdf');
    writeFileSync(file, await page.pdf({ format: 'A4' }));
    const sheets = execFileSync('pdftotext', ['-layout', file, '-'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    }).split('\f');
    const headings = await page.locator('.figure h3').allTextContents();
    const counts = sheets.map((sheet) => [
      sheet.split('\n').filter((line) => headings.includes(line.trim())).length,
      sheet.match(/As a table/g)?.length ?? 0,
    ]);
    // The device share chart has no heading of its own.
    expect(counts.filter(([begun = 0, ended = 0]) => ended - begun > 1 || begun > ended)).toEqual([]);
  });
});

test('a page shows hostile names as text, not as markup', async () => {
  const { page } = await openPage(pages['hostile names'] ?? '');
  expect(await page.locator('main script, main img, [onload]').count()).toBe(0);
  expect(await page.locator('h2').allTextContents()).toContain('<script>alert(1)</script>');
});

test('a chart shows the time and the rates under the pointer', async () => {
  const { page } = await openPage(pages['one run'] ?? '', { viewport: { width: 900, height: 800 } });
  const chart = page.locator('svg[data-plot]').first();
  await chart.scrollIntoViewIfNeeded();
  const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await page.mouse.move(x + width / 4, y + 60);
  await expect.poll(() => chart.locator('text').last().textContent()).toMatch(/^\d\.\d s: \d+ MB\/s$/);
});

test('a button copies the command that repeats the measurement', async () => {
  const { page } = await openPage(pages['one run'] ?? '', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.locator('summary').first().click();
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^npx gobonnie --dir /);
});
