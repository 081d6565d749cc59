/** Returns the phases that messages name as possibly cached: `Rewrite, Sequential Read: what the device ...`. */
export function phaseTitlesIn(stderr: string): readonly string[] {
  const named = stderr.matchAll(/(?:warning: |; )([\w+ ,-]+): (?:what \w+ |not all of it was durable)/g);
  return [...named].flatMap(([, titles = '']) => titles.split(', '));
}
