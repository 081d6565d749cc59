/**
 * What a run and the commands on results need, in one module: esbuild makes a file of each that is imported lazily, and
 * of each set of modules that some of them share. Apart, a run would open fifty files.
 */

export { createLocalGroup, deleteLocalGroup } from '../../meeting/local-meeting.js';
export { bonnieLogFormatter } from '../ancestors/bonnie-narration.js';
export { formatBonniePlusPlusLog as formatBonniePlusPlusLog, formatBonniePlusPlusTables } from '../ancestors/bonnie-plus-plus-narration.js';
export { prepareBonniePlusPlus } from '../ancestors/bonnie-plus-plus-preparation.js';
export { formatBonniegoLog as formatBonniegoLog } from '../ancestors/bonniego-narration.js';
export { getcPutc } from '../ancestors/getc-putc.js';
export { runAsUser } from '../ancestors/run-as-user.js';
export { readConfigDocument } from '../config/config-file.js';
export { searchConfig } from '../config/search.js';
export { formatLog } from '../output/narration.js';
export { ab } from './ab.js';
export { benchmark } from './benchmark.js';
export { clean } from './clean.js';
export { compare } from './compare.js';
export { show } from './show.js';
export { zones } from './zones.js';
