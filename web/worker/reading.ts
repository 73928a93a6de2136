import { decode } from "../../src/environment/file.ts";

/** See `Client.read`. */
export function read(name: string, bytes: Uint8Array): { readonly text: string } | { readonly wrong: string } {
  const { value, diagnostics } = decode(name, bytes);
  if (value !== undefined) return { text: value.text };
  const [first] = diagnostics;
  const help = first?.help?.map(({ message }) => `; ${message}`).join("") ?? "";
  return { wrong: `${first?.message ?? `${name} cannot be read`}${help}` };
}
