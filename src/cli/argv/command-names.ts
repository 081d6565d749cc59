/** Every command. Messages may name them, so this list is apart from the code of the commands. */
// biome-ignore format: a list of words
export const COMMAND_NAMES = [
  'quick', 'show', 'compare', 'ab', 'sweep', 'dev', 'load', 'ping', 'fill', 'first-read', 'explain', 'zones', 'clean', 'completion',
  'gobonniego', 'bonniego', 'bonnie', 'bonnie++',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];
