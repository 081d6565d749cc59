/** TypeScript knows it only as a part of the browser's library. */
declare const WebAssembly: {
  Memory: new (limits: {
    shared: true;
    initial: number;
    maximum: number;
  }) => { readonly buffer: SharedArrayBuffer };
};

const PAGE_BYTES = 65_536;

/** Page-aligned memory that all threads share. No other that JavaScript can have is taken by O_DIRECT. */
export function allocateIoMemory(bytes: number): SharedArrayBuffer {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  return new WebAssembly.Memory({ shared: true, initial: pages, maximum: pages }).buffer;
}
