#!/usr/bin/env node
require('../dist/program/gobonnie.cjs').main(process);
