// What the compiler refuses in `src`, by src/bytes.d.ts. A line that it took would be an error here.

// @ts-expect-error A Buffer does not pass for bytes.
export const shared: Uint8Array = Buffer.of(1, 2);

// @ts-expect-error slice() may have shared them.
export const copy = (bytes: Uint8Array): Uint8Array => bytes.slice(0, 1);

export const copied = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes.subarray(0, 1));
