#!/usr/bin/env node
const { main } = require('../dist/program/gobonnie.cjs');

main(process);
