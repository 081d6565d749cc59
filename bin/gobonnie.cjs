#!/usr/bin/env node
const { main } = require('../dist/gobonnie.cjs');

main(process);
