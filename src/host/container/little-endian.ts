/** Unsigned fields of a file, at a byte; they throw a RangeError outside of it. */
const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);

/** 16 bits. */
export const half = (bytes: Uint8Array, at: number): number => view(bytes).getUint16(at, true);

/** 32 bits. */
export const word = (bytes: Uint8Array, at: number): number => view(bytes).getUint32(at, true);

/** A size or an offset of 64 bits, as a double: what is larger than any file may be rounded. */
export const long = (bytes: Uint8Array, at: number): number => Number(view(bytes).getBigUint64(at, true));
