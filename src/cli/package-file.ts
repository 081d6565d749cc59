import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorWithReason } from '../system-error.js';
import { display } from '../text/escape.js';

export function readPackageFile(name: string): string {
  // Located by the package's own name, which works from src and from dist.
  const packageJson = createRequire(import.meta.url).resolve('gobonnie/package.json');
  const file = path.join(path.dirname(packageJson), name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Tools that shrink node_modules remove files that no module imports.
    const message = `cannot read ${display(file)}`;
    throw errorWithReason('system-call-failed', message, error, 'install gobonnie again');
  }
}
