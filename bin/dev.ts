import { main } from '../src/cli/main.js';

await main(process);
