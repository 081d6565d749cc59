/** Optional: adds Copy buttons, and shows the time and the rates under the pointer. Loads nothing. */
export const SCRIPT = `
for (const text of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.onclick = async () => {
    getSelection().selectAllChildren(text);
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  };
  text.before(button);
}
for (const chart of document.querySelectorAll('svg[data-plot]')) {
  const [left, right, top, bottom, seconds, highest, unit] = chart.dataset.plot.split(' ').map((part, at) => (at < 6 ? Number(part) : part));
  const make = (name, attributes) => {
    const element = document.createElementNS(chart.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    chart.append(element);
    return element;
  };
  const lines = [...chart.querySelectorAll('polyline[data-line]')].map((line) => line.getAttribute('points').split(' ').map((pair) => pair.split(',').map(Number)));
  const cross = make('line', { y1: top, y2: bottom, stroke: '#8b949e', visibility: 'hidden' });
  const label = make('text', { y: top - 10, fill: 'currentColor', 'text-anchor': 'end', x: right });
  chart.onpointermove = ({ clientX }) => {
    const box = chart.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    if (x < left || x > right) return chart.onpointerleave();
    const found = lines.flatMap((points) => (x > points.at(-1)[0] ? [] : [points.findLast(([px]) => px <= x) ?? points[0]]));
    const rates = found.slice(0, 4).map(([, y]) => Number((((bottom - y) / (bottom - top)) * highest).toPrecision(3)));
    cross.setAttribute('x1', x);
    cross.setAttribute('x2', x);
    cross.setAttribute('visibility', 'visible');
    const time = (((x - left) / (right - left)) * seconds).toFixed(1) + ' s';
    label.textContent = rates.length > 0 ? time + ': ' + rates.join(', ') + ' ' + unit : time;
  };
  chart.onpointerleave = () => {
    cross.setAttribute('visibility', 'hidden');
    label.textContent = '';
  };
}
`;

export const SCRIPT_HASH = 'sha256-4D6FU2vPjCTLti6oHIPmqmxf7BUYlTPs00PGX7KRMXs=';
