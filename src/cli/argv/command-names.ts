/** The commands whose code is in the lazy bundle. */
export const BUNDLED_COMMANDS = ['quick', 'show', 'compare', 'ab', 'sweep', 'dev', 'zones', 'clean'] as const;

/** Every command. Messages may name them, so this list is apart from the code of the commands. */
export const COMMAND_NAMES = [
  ...BUNDLED_COMMANDS,
  'explain',
  'completion',
  'gobonniego',
  'bonniego',
  'bonnie',
  'bonnie++',
] as const;
