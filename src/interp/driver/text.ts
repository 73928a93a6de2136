/** What this file needs of the host; the library's types name no web interface. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Bytes of a program as text: UTF-8, as nvcc writes string literals. */
export const textOf = (bytes: ArrayLike<number>): string => new TextDecoder().decode(Uint8Array.from(bytes));

/** The bytes of text that has ASCII characters only. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
