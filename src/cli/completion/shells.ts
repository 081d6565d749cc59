import type { Script } from './vocabulary.js';

/** Every shell, one row each; loaded only where its script is wanted. */
export const shells = {
  bash: async () => (await import('./bash.js')).bash,
  zsh: async () => (await import('./zsh.js')).zsh,
  fish: async () => (await import('./fish.js')).fish,
} as const satisfies Readonly<Record<string, () => Promise<Script>>>;

export type Shell = keyof typeof shells;
