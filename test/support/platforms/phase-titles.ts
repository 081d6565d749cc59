/** The figures that may be those of memory, as messages name them: `Rewrite, Sequential Read: what the device ...`. */
export function phaseTitlesIn(stderr: string): readonly string[] {
  const named = stderr.matchAll(/(?:warning: |; )([\w+ ,-]+): (?:what \w+ |not all of it was durable)/g);
  return [...named].flatMap(([, titles = '']) => titles.split(', '));
}
