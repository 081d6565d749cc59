/** Lists faults of a page, its charts and its numbers as text. Runs in the browser. */
(() => {
  const overlap = (one, other) =>
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 3 &&
    other.top < one.bottom - 3;
  const { scrollWidth } = document.documentElement;
  const faults = [...document.querySelectorAll('svg.chart')].flatMap((chart) => {
    const frame = chart.getBoundingClientRect();
    const isInside = ({ left, right, top, bottom }) =>
      left >= frame.left - 5 &&
      right <= frame.right + 5 &&
      top >= frame.top - 1 &&
      bottom <= frame.bottom + 1;
    const texts = [...chart.querySelectorAll('text')];
    const marks = [...chart.querySelectorAll('polyline, rect, circle, polygon')];
    const boxes = texts.map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    const outside = [...texts, ...marks].filter((one) => !isInside(one.getBoundingClientRect()));
    const over = boxes.flatMap((one, at) =>
      boxes
        .slice(at + 1)
        .filter((other) => overlap(one.box, other.box))
        .map((other) => `"${one.text}" is over "${other.text}"`),
    );
    const found = [...outside.map((one) => `${one.tagName} ${one.textContent} is outside`), ...over];
    if (frame.width === 0 || marks.length === 0) found.push('nothing is drawn');
    return found.map((fault) => `${chart.getAttribute('aria-label')}: ${fault}`);
  });
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    const range = document.createRange();
    for (const { 0: number, index } of currentNode.data.matchAll(/\d[\d.,]*/g)) {
      range.setStart(currentNode, index);
      range.setEnd(currentNode, index + number.length);
      const { right } = range.getBoundingClientRect();
      const isScrolled = currentNode.parentElement.closest('.wide') !== null;
      const isCommand = currentNode.parentElement.closest('pre') !== null;
      if (range.getClientRects().length > 1 && !isCommand)
        faults.push(`${number} is wrapped in ${currentNode.data}`);
      if (right > innerWidth && !isScrolled) faults.push(`${number} is cut`);
    }
  }
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth - innerWidth} px too wide`);
  return faults;
})();
