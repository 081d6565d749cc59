#!/usr/bin/env node
try {
  require('../dist/program/gobonnie.cjs').main(process);
} catch (error) {
  // With --permission alone, Node reads this file but no file that it requires.
  const directory = require('node:path').dirname(__dirname);
  if (process.permission?.has('fs.read', directory) !== false) throw error;
  process.stderr.write(
    "gobonnie: Node's permission model requires --allow-fs-read; " +
      'add --allow-fs-read="*", or run node without --permission\n',
  );
  process.exitCode = 1;
}
