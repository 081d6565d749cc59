import { test } from 'vitest';

/** Defines a test that needs Linux. Other systems skip it, except in CI, where it must run. */
export const testOnLinux = test.skipIf(process.platform !== 'linux' && !process.env.CI);
