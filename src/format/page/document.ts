import { type Markup, tag, escapeMarkup as text } from '../../text/markup.js';
import { SCRIPT, SCRIPT_HASH } from './browser-script.js';
import { STYLE, STYLE_HASH } from './style.js';

/** Allows only the page's own style and script. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; script-src '${SCRIPT_HASH}'`;

/** Renders a page that opens anywhere: it loads nothing, and is complete without its style and its script. */
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
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
