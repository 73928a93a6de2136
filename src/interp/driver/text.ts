/** What this file needs of the host; the library's types name no web interface. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Bytes of a program as text: UTF-8, as nvcc writes string literals. */
export const textOf = (bytes: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(bytes));

/** The bytes of text that has ASCII characters only. */
export const bytesOfText = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
