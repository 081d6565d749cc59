import { createHash } from 'node:crypto';
import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import { STYLE } from './style.js';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
/** Allows only the page's own style. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'`;

/** Renders a page that opens anywhere: it loads nothing, has no script, and is complete without its style. */
export function htmlDocument(title: string, body: readonly Markup[]): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${text(CONTENT_SECURITY_POLICY)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    tag('title', {}, text(title)),
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    tag('main', {}, tag('h1', {}, text(title)), ...body),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
