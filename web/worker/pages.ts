import { codes } from "../../src/source/index.ts";
import type { CodePage } from "../page/client.ts";

/** The page of a diagnostic's code; undefined for none. */
export function codePage(code: string): CodePage | undefined {
  const page = codes.get(code.toUpperCase());
  if (page === undefined) return undefined;
  const { title, why: text, wrong, right } = page;
  return {
    code: code.toUpperCase(),
    title,
    text,
    ...(wrong === undefined ? {} : { wrong }),
    ...(right === undefined ? {} : { right }),
  };
}
