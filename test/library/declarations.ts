import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/root.js';

/** A top-level declaration of a built declaration file. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const INDEX = 'dist/src/index.d.ts';
const COMMENT = /\/\*[\s\S]*?\*\//g;
const STATEMENT = /^(?=(?:export|import|declare|interface|type|class|abstract|const)\b)/m;
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function) (?<name>\w+)/;
const NAMES = /^(?:import|export) (?:type )?\{(?<names>[^}]*)\} from '(?<from>\.[^']*)'/;

/** Returns the declarations that the library exports. */
export function listExports(): readonly Declaration[] {
  return readStatements(INDEX).flatMap((statement) =>
    [...resolveNames(INDEX, statement)].map(([, found]) => found),
  );
}

function readStatements(file: string): readonly string[] {
  return readFileSync(path.join(ROOT, file), 'utf8').replace(COMMENT, '').split(STATEMENT);
}

function parseDeclaration(file: string, text: string): Declaration | undefined {
  const { name } = DECLARED.exec(text)?.groups ?? {};
  if (!name) return undefined;
  return { file, name, text };
}

/** Returns the names that a statement imports or re-exports from other files, with their declarations. */
function* resolveNames(file: string, statement: string): Generator<readonly [string, Declaration]> {
  const { names = '', from = '' } = NAMES.exec(statement)?.groups ?? {};
  const source = path.posix.join(path.posix.dirname(file), from).replace(/\.js$/, '.d.ts');
  for (const one of names.split(',').filter((text) => text.trim() !== '')) {
    const [theirs = '', ours = theirs] = one
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    yield [ours, findDeclaration(source, theirs)];
  }
}

/** Returns a declaration, even if the file re-exports it from another file. */
function findDeclaration(file: string, name: string): Declaration {
  for (const statement of readStatements(file)) {
    const declaration = parseDeclaration(file, statement);
    if (declaration?.name === name) return declaration;
    if (!statement.startsWith('export')) continue;
    const found = [...resolveNames(file, statement)].find(([known]) => known === name);
    if (found) return found[1];
  }
  throw new Error(`${file} declares no ${name}`);
}
