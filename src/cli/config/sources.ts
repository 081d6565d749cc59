import { GobonnieError } from '../../errors.js';
import { refusalOf } from '../../options/refusal.js';
import { shown } from '../../text/escape.js';
import { flag, sentence } from '../../text/sentence.js';
import type { Given } from '../argv/asked.js';
import { contradiction } from '../argv/presentation.js';
import { ofFile } from '../argv/wording.js';
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
    throw refusalOf(name, configCatalogue[name], given[name]);
  }
  const { config, noConfig, profile } = verdict.data;
  if (noConfig && config !== undefined) throw contradiction(flag('noConfig'), flag('config', config));
  if (noConfig && profile !== undefined) throw contradiction(flag('noConfig'), flag('profile', profile));
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
  const named = flag('profile', name);
  if (file) {
    const names = [...file.profiles.keys()].map(shown);
    const hint = names.length === 0 ? 'it has no profiles' : `its profiles are ${names.join(', ')}`;
    throw new GobonnieError('option-invalid', sentence`${named} is not in ${file.file}`, hint);
  }
  const [passed] = distrusted;
  throw new GobonnieError(
    'option-invalid',
    passed
      ? sentence`${named} is not looked up in ${passed.file}: ${passed.reason}`
      : sentence`${named} needs a config file, and there is none`,
    passed
      ? `pass --config ${passed.file} to use it anyway`
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
    sentence`${flag('config', config)} has no key "${PACKAGE_KEY}"`,
    `write for example "${PACKAGE_KEY}": { "size": 0.5 } into it`,
  );
}

async function readNamed(config: string): Promise<Document | null> {
  try {
    return await readDocument(config);
  } catch (cause) {
    if (!(cause instanceof GobonnieError) || cause.code !== 'unreadable') throw cause;
    const hint = 'pass the path of a file of options that you may read';
    throw new GobonnieError('option-invalid', ofFile('config', config, cause), hint, { cause });
  }
}
