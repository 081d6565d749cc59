/*
 * Opens a file once it is there, as virus scanners do, and says so by a directory C:\held. It closes the file when it
 * has seen that another program cannot replace it: then the draft stays beside it.
 */
const { closeSync, mkdirSync, openSync, readdirSync, rmdirSync } = require('node:fs');
const path = require('node:path');

const [directory, ...patterns] = process.argv.slice(2);
const [file, draft] = patterns.map((pattern) => new RegExp(pattern));
const [SIGN, POLL_MS, LOOKS] = ['C:\\held', 5, 10];

const nap = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);

/** The first path of this kind, once there is one. */
function find(pattern) {
  for (; ; nap()) {
    try {
      const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
      const found = files.find((one) => pattern.test(one));
      if (found) return found;
    } catch {
      // A directory was removed meanwhile.
    }
  }
}

const held = openSync(find(file));
mkdirSync(SIGN, { recursive: true });
for (let looks = 0, before = ''; looks < LOOKS; nap()) {
  const now = find(draft);
  looks = now === before ? looks + 1 : 0;
  before = now;
}
closeSync(held);
rmdirSync(SIGN);
