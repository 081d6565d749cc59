import { SWITCH } from '../../options/row.js';
import type { PresentationRow } from '../argv/presentation-catalogue.js';

/** The file that is looked for, and the key of package.json that does as well. */
export const CONFIG_FILE = 'gobonnie.config.json';
export const PACKAGE_FILE = 'package.json';
export const PACKAGE_KEY = 'gobonnie';

/** From where else options come. Plain data, as the other catalogues are. */
export const configCatalogue = {
  config: {
    flags: ['config'],
    argument: 'FILE',
    group: 'In a pipeline',
    help: 'read options from this file; variables such as GOBONNIE_SIZE override it',
    defaultText: `${CONFIG_FILE}, or "${PACKAGE_KEY}" in ${PACKAGE_FILE}, from here upward`,
    expects: 'the path of a file',
    example: CONFIG_FILE,
  },
  noConfig: {
    ...SWITCH,
    flags: ['no-config'],
    group: 'In a pipeline',
    help: 'ignore config files',
    excludes: ['config', 'profile'],
  },
  profile: {
    flags: ['profile'],
    argument: 'NAME',
    group: 'In a pipeline',
    help: 'use this profile of the config file',
    defaultText: null,
    expects: 'the name of a profile',
    example: 'ci',
  },
} as const satisfies Readonly<Record<string, PresentationRow>>;

export type ConfigName = keyof typeof configCatalogue;
