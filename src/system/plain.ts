/** The bytes of a node Buffer, sharing its memory, as a plain byte array (see `src/bytes.d.ts`). */
export const plain = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
