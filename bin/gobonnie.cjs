#!/usr/bin/env node
require('../dist/program/gobonnie.cjs').start(process);
