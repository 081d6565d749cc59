import { test } from 'vitest';

/** A test that needs Linux. It is skipped elsewhere, except in CI, where it must run. */
export const testOnLinux = test.skipIf(process.platform !== 'linux' && !process.env.CI);
