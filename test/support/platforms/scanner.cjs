/*
 * Opens a file as soon as it exists, as virus scanners do, and then creates the directory C:\held. It closes the file
 * when another program cannot replace it: then the same draft remains next to the file.
 */
const { closeSync, mkdirSync, openSync, readdirSync, rmdirSync } = require('node:fs');
const path = require('node:path');

const [directory, ...patterns] = process.argv.slice(2);
const [file, draft] = patterns.map((pattern) => new RegExp(pattern));
const HELD_SIGN = 'C:\\held';
const POLL_MS = 5;
const POLLS = 10;

const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);

/** Returns the first path that matches, as soon as it exists. */
function find(pattern) {
  for (; ; sleep()) {
    try {
      const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const paths = files.map((entry) => path.join(entry.parentPath, entry.name));
      const match = paths.find((name) => pattern.test(name));
      if (match) return match;
    } catch {
      // Another program removed a directory.
    }
  }
}

const fd = openSync(find(file));
mkdirSync(HELD_SIGN, { recursive: true });
for (let polls = 0, before = ''; polls < POLLS; sleep()) {
  const now = find(draft);
  polls = now === before ? polls + 1 : 0;
  before = now;
}
closeSync(fd);
rmdirSync(HELD_SIGN);
