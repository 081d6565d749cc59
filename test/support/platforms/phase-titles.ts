/** The phases that may have been cached, as messages name them: `Rewrite, Sequential Read: the share read from ...`. */
export function phaseTitlesIn(stderr: string): readonly string[] {
  const named = stderr.matchAll(
    /(?:warning: |; )([\w+ ,-]+): (?:the share (?:read from|written to) |some data was not yet durable)/g,
  );
  return [...named].flatMap(([, titles = '']) => titles.split(', '));
}
