import { Misreading } from './misreading.js';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Schema<Output> {
  safeParse(
    document: unknown,
  ):
    | { readonly success: true; readonly data: Output }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** The document as its schema takes it; throws with the first place where it does not. */
export function judged<Output>(schema: Schema<Output>, document: object): Output {
  const verdict = schema.safeParse(document);
  if (verdict.success) return verdict.data;
  const [{ path, message } = { path: [], message: 'it is not as it should be' }] = verdict.error.issues;
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const problem = message.replace(/^Invalid input: /, '');
  throw new Misreading(
    `its ${place.replace(/^\./, '')} is wrong: ${problem}`,
    'take the file as it was written',
  );
}
