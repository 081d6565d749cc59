/** What is wrong with the charts of a page and with its width, in words. It runs in the browser. */
(() => {
  const overlap = (one, other) =>
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 3 &&
    other.top < one.bottom - 3;
  const { scrollWidth } = document.documentElement;
  const wide = scrollWidth > innerWidth ? [`the page is ${scrollWidth - innerWidth} px too wide`] : [];
  const faults = [...document.querySelectorAll('svg.chart')].flatMap((chart) => {
    const frame = chart.getBoundingClientRect();
    const isInside = ({ left, right, top, bottom }) =>
      left >= frame.left - 1 &&
      right <= frame.right + 1 &&
      top >= frame.top - 1 &&
      bottom <= frame.bottom + 1;
    const texts = [...chart.querySelectorAll('text')].filter(({ textContent }) => textContent !== '');
    const marks = [...chart.querySelectorAll('polyline, rect, circle, polygon')];
    const boxes = texts.map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    const outside = [...texts, ...marks].filter((one) => !isInside(one.getBoundingClientRect()));
    const over = boxes.flatMap((one, at) =>
      boxes
        .slice(at + 1)
        .flatMap((other) => (overlap(one.box, other.box) ? [`"${one.text}" is over "${other.text}"`] : [])),
    );
    return [
      ...(frame.width > 0 && marks.length > 0 ? [] : ['nothing is drawn']),
      ...outside.map((one) => `${one.tagName} ${one.textContent} is outside`),
      ...over,
    ].map((fault) => `${chart.querySelector('title').textContent}: ${fault}`);
  });
  return [...wide, ...faults];
})();
