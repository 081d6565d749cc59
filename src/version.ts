import { createRequire } from 'node:module';

/** By the package's own name, so that it is found from src and from dist. */
const manifest = createRequire(import.meta.url)('gobonnie/package.json') as { version: string };

export const version = manifest.version;
