/**
 * Modules that a run and the commands on results need, in one chunk: esbuild creates a chunk for each lazily imported
 * module, and for each set of modules that several of them share. As separate chunks, a run would open fifty files.
 */

export { prepareBonniePlusPlus } from '../compat/run-as-user.js';
export { loadConfig } from '../config/config-file.js';
export { writeGithubError } from '../output/github-report.js';
export { ab } from './ab/ab.js';
export { benchmark } from './benchmark.js';
export { clean } from './clean.js';
export { compare } from './compare.js';
export { dev } from './dev.js';
export { fill } from './fill.js';
export { firstRead } from './first-read.js';
export { failLaunchedJob } from './job-command.js';
export { load } from './load.js';
export { ping } from './ping.js';
export { quick } from './quick.js';
export { show } from './show.js';
export { sweep } from './sweep.js';
export { zones } from './zones.js';
