import { test } from 'vitest';

/** A test of what only Linux has. It is skipped elsewhere, but not in CI: there it has to run. */
export const testOnLinux = test.skipIf(process.platform !== 'linux' && !process.env.CI);
