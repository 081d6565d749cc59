import { DARK_RULES } from './drawing/line-style.js';

/** Optional: charts and tables are complete without it. */
export const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;background:#fff;color:#1f2328;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}',
  'h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem}',
  'h2{font-size:1.2rem;margin:2.5rem 0 .25rem}',
  'h3{font-size:1rem;margin:1.5rem 0 .25rem}',
  'p,ul{margin:.25rem 0 .75rem}',
  '.plot,.wide{overflow-x:auto}',
  '.chart{display:block;min-width:34rem;max-width:100%;height:auto}',
  'table{border-collapse:collapse;overflow-wrap:normal;font-size:.9rem;font-variant-numeric:tabular-nums}',
  'th,td{padding:.2rem .75rem .2rem 0;text-align:right;border-bottom:1px solid #d0d7de;font-weight:400}',
  'thead th{color:#57606a}',
  'th:first-child{text-align:left}',
  '.steps th,.steps td{white-space:nowrap}',
  '.answer td:nth-child(2){font-size:1.25rem;font-weight:600}',
  'pre{overflow-x:auto;padding:.75rem;background:#f6f8fa;font-size:.8rem}',
  'summary{cursor:pointer;color:#57606a}',
  '.note{color:#57606a;font-size:.9rem}',
  '@media (prefers-color-scheme:dark){',
  'body{background:#0d1117;color:#e6edf3}pre{background:#161b22}',
  'th,td{border-color:#30363d}thead th,summary,.note{color:#9ea7b3}',
  `${DARK_RULES}}`,
  '@media print{main{max-width:none;padding:0}section,.figure{break-inside:avoid}pre{white-space:pre-wrap}',
  '.plot{overflow:visible}.chart{min-width:0}}',
].join('');

/** Hash for the page's policy, which allows only this style. */
export const STYLE_HASH = 'sha256-gRzXDzvdwYwj+zQOYfdNK5CQEuF0A9xGhK3jF9ZZpiQ=';
