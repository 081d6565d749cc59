import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import { STYLE } from './style.js';

/** Allows nothing but the page's own style. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

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
