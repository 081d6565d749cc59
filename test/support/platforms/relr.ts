/** The tags of entries in an ELF file's dynamic section, and the types of its program headers. */
const TAGS = { rel: 17n, relBytes: 18n, relEntryBytes: 19n, relrBytes: 35n, relr: 36n, relrEntryBytes: 37n };
const TYPES = { load: 1, dynamic: 2, note: 4 };
const READABLE = 4;
const R_X86_64_RELATIVE = 8n;
const WORD_BYTES = 8;
const ENTRY_BYTES = 16;
const PAGE_BYTES = 4096;

interface ProgramHeader {
  /** Its own place in the file. */
  readonly at: number;
  readonly type: number;
  readonly offset: number;
  readonly bytes: number;
  /** The first address after it. */
  readonly end: number;
}

/**
 * A library for an older musl. Alpine's libraries list the words to which their address is added in the packed form RELR,
 * which musl reads from 1.2.4 on; with an older one, such as Debian's, the program crashes. This appends the list in the
 * long form REL, which every musl reads.
 */
export function withoutRelr(library: Buffer): Buffer {
  const headers = programHeaders(library);
  const tags = tagsOf(library, headers);
  const relr = tags.get(TAGS.relr);
  if (relr === undefined) return library;
  const packedAt = valueAt(library, relr);
  const packed = library.subarray(packedAt, packedAt + valueAt(library, placeOf(tags, TAGS.relrBytes)));
  const table = relTable(unpacked(packed));
  const offset = nextPage(library.length);
  const address = nextPage(Math.max(...headers.map(({ end }) => end)));
  const whole = Buffer.concat([library, Buffer.alloc(offset - library.length), table]);
  replaceNote(whole, headers, [offset, address, address, table.length, table.length, PAGE_BYTES]);
  setEntry(whole, relr, TAGS.rel, address);
  setEntry(whole, placeOf(tags, TAGS.relrBytes), TAGS.relBytes, table.length);
  setEntry(whole, placeOf(tags, TAGS.relrEntryBytes), TAGS.relEntryBytes, ENTRY_BYTES);
  return whole;
}

function programHeaders(library: Buffer): readonly ProgramHeader[] {
  const first = Number(library.readBigUInt64LE(32));
  const size = library.readUInt16LE(54);
  return Array.from({ length: library.readUInt16LE(56) }, (_, index) => {
    const at = first + index * size;
    const word = (number: number) => Number(library.readBigUInt64LE(at + number * WORD_BYTES));
    return { at, type: library.readUInt32LE(at), offset: word(1), bytes: word(4), end: word(2) + word(5) };
  });
}

/** Where in the file each entry of the dynamic section is. */
function tagsOf(library: Buffer, headers: readonly ProgramHeader[]): ReadonlyMap<bigint, number> {
  const { offset = 0, bytes = 0 } = headers.find(({ type }) => type === TYPES.dynamic) ?? {};
  const places = Array.from({ length: bytes / ENTRY_BYTES }, (_, index) => offset + index * ENTRY_BYTES);
  return new Map(places.map((place) => [library.readBigUInt64LE(place), place]));
}

function placeOf(tags: ReadonlyMap<bigint, number>, tag: bigint): number {
  const place = tags.get(tag);
  if (place === undefined) throw new Error(`the library has no dynamic entry ${tag}`);
  return place;
}

function valueAt(library: Buffer, place: number): number {
  return Number(library.readBigUInt64LE(place + WORD_BYTES));
}

function setEntry(library: Buffer, place: number, tag: bigint, value: number): void {
  library.writeBigUInt64LE(tag, place);
  library.writeBigUInt64LE(BigInt(value), place + WORD_BYTES);
}

/** Has the header of a note, which nothing reads, describe another part of the file. */
function replaceNote(library: Buffer, headers: readonly ProgramHeader[], words: readonly number[]): void {
  const note = headers.find(({ type }) => type === TYPES.note);
  if (!note) throw new Error('the library has no note to replace');
  library.writeUInt32LE(TYPES.load, note.at);
  library.writeUInt32LE(READABLE, note.at + 4);
  for (const [index, word] of words.entries())
    library.writeBigUInt64LE(BigInt(word), note.at + (index + 1) * WORD_BYTES);
}

/** An even number is an address; an odd one has a bit for each of the 63 words that follow. */
function unpacked(relr: Buffer): readonly bigint[] {
  const addresses: bigint[] = [];
  let next = 0n;
  for (let at = 0; at < relr.length; at += WORD_BYTES) {
    const value = relr.readBigUInt64LE(at);
    if (value % 2n === 0n) {
      addresses.push(value);
      next = value + 8n;
    } else {
      for (let bit = 1n; bit < 64n; bit += 1n)
        if ((value >> bit) % 2n === 1n) addresses.push(next + (bit - 1n) * 8n);
      next += 63n * 8n;
    }
  }
  return addresses;
}

function relTable(addresses: readonly bigint[]): Buffer {
  const table = Buffer.alloc(addresses.length * ENTRY_BYTES);
  for (const [index, address] of addresses.entries()) {
    table.writeBigUInt64LE(address, index * ENTRY_BYTES);
    table.writeBigUInt64LE(R_X86_64_RELATIVE, index * ENTRY_BYTES + WORD_BYTES);
  }
  return table;
}

function nextPage(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}
