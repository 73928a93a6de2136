/** The bytes of a node Buffer, shared with it, as what the rest of ptxrun takes for bytes (see `src/bytes.d.ts`). */
export const plain = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
