import { getSystemErrorName } from 'node:util';

/** The part of node:ffi that gobonnie uses. The types of Node 20 lack the module. */
interface Ffi {
  /** Finds functions in this process. */
  dlopen<Signatures extends Readonly<Record<string, { readonly return: 'int32' | 'pointer' }>>>(
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

/** Functions of the C library. Each definition of `syscall` has the arguments of one call. */
const SETUP = { syscall: { arguments: ['int32', 'int32', 'pointer'], return: 'int32' } } as const;
const ENTER = {
  syscall: { arguments: ['int32', 'int32', 'int32', 'int32', 'int32', 'int32', 'int32'], return: 'int32' },
} as const;
const OTHERS = {
  mmap: { arguments: ['pointer', 'uint64', 'int32', 'int32', 'int32', 'int64'], return: 'pointer' },
  munmap: { arguments: ['pointer', 'uint64'], return: 'int32' },
  close: { arguments: ['int32'], return: 'int32' },
  __errno_location: { arguments: [], return: 'pointer' },
} as const;
/** Numbers of system calls, the same on all processors. */
const SETUP_CALL = 425;
const ENTER_CALL = 426;
const GET_EVENTS = 1;

/** Words of the setup's parameters. The kernel writes the sizes, and the places in the mapping in bytes. */
const PARAMETER_WORDS = 30;
const SIZES = { submissions: 0, completions: 1 };
const FEATURES = 5;
/** The feature of Linux 5.12, since which the kernel's workers are threads of the process. */
const NATIVE_WORKERS = 1 << 9;
const SUBMISSION_PLACES = { tail: 11, array: 16 };
const COMPLETION_PLACES = { head: 20, tail: 21, entries: 25 };
/** PROT_READ and PROT_WRITE; MAP_SHARED and MAP_POPULATE. */
const PROTECTION = 3;
const MAP_FLAGS = 0x8001;
const SUBMISSIONS_OFFSET = 0x10000000n;
const MAP_FAILED = 2n ** 64n - 1n;
const WORD_BYTES = 4;
export const SUBMISSION_WORDS = 16;
export const COMPLETION_WORDS = 4;

/** The queues that a thread shares with the kernel. Places are indexes in `words`. */
export type Ring = ReturnType<typeof openRing>;

/** Creates the queues. Throws a system error if the kernel refuses. */
export function openRing(entries: number) {
  const ffi = loadFfi();
  if (!ffi) throw new Error('this Node was built or started without node:ffi');
  const { mmap, munmap, close, __errno_location: errnoLocation } = ffi.dlopen(null, OTHERS).functions;
  const setup = ffi.dlopen(null, SETUP).functions.syscall;
  const enter = ffi.dlopen(null, ENTER).functions.syscall;
  const errno = new Int32Array(ffi.toArrayBuffer(errnoLocation(), WORD_BYTES, false));
  const lastErrno = () => errno[0] ?? 0;

  const parameters = new Uint32Array(PARAMETER_WORDS);
  const fd = setup(SETUP_CALL, entries, ffi.getRawPointer(parameters));
  if (fd < 0) throw systemError(lastErrno(), 'io_uring_setup');
  if (!((parameters[FEATURES] ?? 0) & NATIVE_WORKERS)) throw new Error('it needs Linux 5.12 or newer');

  const mappings: (readonly [pointer: bigint, lengthBytes: bigint])[] = [];
  const map = (lengthBytes: number, offset: bigint) => {
    const pointer = mmap(null, BigInt(lengthBytes), PROTECTION, MAP_FLAGS, fd, offset);
    if (pointer === MAP_FAILED) throw systemError(lastErrno(), 'mmap');
    mappings.push([pointer, BigInt(lengthBytes)]);
    return ffi.toArrayBuffer(pointer, lengthBytes, false);
  };
  const place = (index: number) => (parameters[index] ?? 0) / WORD_BYTES;
  const submissionCount = parameters[SIZES.submissions] ?? 0;
  const completionCount = parameters[SIZES.completions] ?? 0;
  const submissionArray = place(SUBMISSION_PLACES.array);
  // This array is the last part of the mapping.
  const words = new Int32Array(map((submissionArray + submissionCount) * WORD_BYTES, 0n));
  // The kernel takes entry `words[submissionArray + i]` as the request in slot i of the queue.
  for (let slot = 0; slot < submissionCount; slot++) words[submissionArray + slot] = slot;
  return {
    submissions: new Uint32Array(map(submissionCount * SUBMISSION_WORDS * WORD_BYTES, SUBMISSIONS_OFFSET)),
    submissionCount,
    completionCount,
    words,
    submissionTail: place(SUBMISSION_PLACES.tail),
    completionHead: place(COMPLETION_PLACES.head),
    completionTail: place(COMPLETION_PLACES.tail),
    completions: place(COMPLETION_PLACES.entries),
    /** Returns the address of a memory, below 2^53 on all processors. */
    addressOf: (memory: ArrayBufferLike) => Number(ffi.getRawPointer(new Uint8Array(memory))),
    /** Submits requests and waits for completions. Returns the number of submitted requests, or -errno. */
    enter(submitCount: number, waitCount: number): number {
      // The last two arguments are a signal mask and its size. Without the size, Node needs twice as long for the call.
      const submitted = enter(ENTER_CALL, fd, submitCount, waitCount, GET_EVENTS, 0, 0);
      return submitted < 0 ? -lastErrno() : submitted;
    },
    close() {
      for (const [pointer, lengthBytes] of mappings) munmap(pointer, lengthBytes);
      close(fd);
    },
  };
}

/** Returns an error like those of Node's file functions. */
export function systemError(errno: number, syscall: string): Error {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${code}, ${syscall}`), { code, errno: -errno, syscall });
}

/** Loads node:ffi without its warning that it is experimental, which would appear between the results. */
function loadFfi(): Ffi | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:ffi') as Ffi | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
