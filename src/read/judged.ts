import { Misreading, WHOLE } from './misreading.js';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Schema<Output> {
  safeParse(
    document: unknown,
    how: typeof AT_THE_FIRST,
  ):
    | { readonly success: true; readonly data: Output }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/**
 * zod would collect what is wrong with every element of every list, and then run out of memory or stack. Its types keep
 * `abortEarly` to themselves, so that it has a companion that they know.
 */
const AT_THE_FIRST = { abortEarly: true, reportInput: false } as const;

/** The document as its schema takes it; throws with the first place where it does not. */
export function judged<Output>(schema: Schema<Output>, document: object): Output {
  const verdict = schema.safeParse(document, AT_THE_FIRST);
  if (verdict.success) return verdict.data;
  const [{ path, message } = { path: [], message: 'it is not as it should be' }] = verdict.error.issues;
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const problem = message.replace(/^Invalid input: /, '');
  throw new Misreading(`its ${place.replace(/^\./, '')} is wrong: ${problem}`, WHOLE);
}
