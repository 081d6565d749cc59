import { GobonnieError } from '../../errors.js';
import { refusalOf } from '../../options/refusal.js';
import { shown } from '../../text/escape.js';
import type { Given } from '../argv/asked.js';
import { contradiction } from '../argv/presentation.js';
import { type ConfigName, configCatalogue, PACKAGE_KEY } from './catalogue.js';
import { type ConfigFile, judgeDocument } from './config-file.js';
import { type Document, readDocument } from './document.js';
import type { Layer } from './layer.js';
import { type Sources, sourcesSchema } from './schema.js';
import { type Distrusted, type Found, search } from './search.js';

/** What was read, and what was found and not read. */
export interface Source {
  readonly file: ConfigFile | null;
  readonly distrusted: readonly Distrusted[];
}

/** Gives it complete, or throws on the first thing that is wrong. */
export function judgeSources(given: Given): Sources {
  const verdict = sourcesSchema.safeParse(given);
  if (!verdict.success) {
    const name = verdict.error.issues[0]?.path[0] as ConfigName;
    throw refusalOf(configCatalogue[name], given[name]);
  }
  const { config, noConfig, profile } = verdict.data;
  if (noConfig && config !== undefined) throw contradiction('--no-config', `--config ${shown(config)}`);
  if (noConfig && profile !== undefined) throw contradiction('--no-config', `--profile ${shown(profile)}`);
  return verdict.data;
}

/** The file that was named, or else the one that is found. */
export async function readSource({ config, noConfig }: Sources): Promise<Source> {
  const { document, distrusted } = await (config === undefined ? found(noConfig) : named(config));
  return { file: document && judgeDocument(document), distrusted };
}

/** The options of a profile, which has to be there. */
export function profileOf(name: string, { file, distrusted }: Source): Layer {
  const layer = file?.profiles.get(name);
  if (layer) return layer;
  const named = `--profile ${shown(name)}`;
  if (file) {
    const names = [...file.profiles.keys()].map(shown);
    const hint = names.length === 0 ? 'it has no profiles' : `its profiles are ${names.join(', ')}`;
    throw new GobonnieError('option-invalid', `${named} is not in ${file.file}`, hint);
  }
  const [passed] = distrusted;
  throw new GobonnieError(
    'option-invalid',
    passed
      ? `${named} is not looked up in ${passed.file}, as ${passed.reason}`
      : `${named} has no file to be in`,
    passed
      ? `pass --config ${passed.file} to use it all the same`
      : 'write a gobonnie.config.json, or name a file with --config',
  );
}

async function found(noConfig: boolean): Promise<Found> {
  return noConfig ? { document: null, distrusted: [] } : search();
}

async function named(config: string): Promise<Found> {
  const document = await readNamed(config);
  if (document) return { document, distrusted: [] };
  throw new GobonnieError(
    'option-invalid',
    `--config ${shown(config)} has no key "${PACKAGE_KEY}"`,
    `write for example "${PACKAGE_KEY}": { "size": 0.5 } into it`,
  );
}

async function readNamed(config: string): Promise<Document | null> {
  try {
    return await readDocument(config);
  } catch (cause) {
    if (!(cause instanceof GobonnieError) || cause.code !== 'unreadable') throw cause;
    const hint = 'pass the path of a file of options that you may read';
    throw new GobonnieError('option-invalid', `--config ${cause.message}`, hint, { cause });
  }
}
