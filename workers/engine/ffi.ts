type NativeType = 'int32' | 'int64' | 'uint64' | 'pointer';

interface Signature {
  readonly arguments: readonly NativeType[];
  readonly return: 'int32' | 'pointer';
}

/** The part of node:ffi that gobonnie uses. The types of Node 20 lack the module. */
interface Ffi {
  /** Finds functions in this process. */
  dlopen<Signatures extends Readonly<Record<string, Signature>>>(
    path: null,
    signatures: Signatures,
  ): {
    readonly functions: {
      readonly [Name in keyof Signatures]: (
        ...values: (number | bigint | null)[]
      ) => Signatures[Name]['return'] extends 'int32' ? number : bigint;
    };
  };
  getRawPointer(source: ArrayBufferView): bigint;
  toArrayBuffer(pointer: bigint, lengthBytes: number, copy: boolean): ArrayBuffer;
}

/** Loads node:ffi without its warning that it is experimental, which would appear between the results. */
export function loadFfi(): Ffi | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:ffi') as Ffi | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
