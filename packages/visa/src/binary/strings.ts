import type { Attribute, Name } from "../ast.ts";
import { Broken, type Cursor } from "./cursor.ts";
import { spellings } from "./names.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The strings of a kernel, which its tables name by number. */
export class StringPool {
  readonly #strings: readonly Uint8Array[];

  constructor(cursor: Cursor) {
    const count = cursor.u32("the count of strings");
    const strings: Uint8Array[] = [];
    for (let at = 0; at < count; at++) {
      cursor.record();
      strings.push(cursor.untilNul("a string"));
    }
    this.#strings = strings;
  }

  /** Reads the number of a string and gives the string. */
  next(cursor: Cursor, what: string): Name {
    const start = cursor.at;
    const index = cursor.u32(what);
    const bytes = this.#strings[index];
    const span = cursor.since(start);
    if (bytes === undefined)
      throw new Broken("PTX8504", `${what} is string ${index} of ${this.#strings.length}, at byte ${start}`, span);
    return { text: textOf(bytes), span };
  }
}

/** The values of `Target`, by number. */
export const targets: readonly string[] = ["cm", "3d"];

/** Attributes whose value is a string even when it is short. */
const textual: ReadonlySet<string> = new Set(["OutputAsmPath", "AsmName"]);

/** Reads `count` attributes: name, size in bytes, value. Values of up to 4 bytes are numbers, longer ones are strings. */
export function attributesOf(cursor: Cursor, count: number, pool: StringPool): Attribute[] {
  const attributes: Attribute[] = [];
  for (let at = 0; at < count; at++) {
    cursor.record();
    const start = cursor.at;
    const name = pool.next(cursor, "the name of an attribute");
    if (!spellings.attribute.test(name.text))
      throw new Broken("PTX8506", `an attribute has a name that text cannot say, at byte ${start}`, name.span);
    const bytes = cursor.bytes(cursor.u8("the size of an attribute"), `the value of ${name.text}`);
    const span = cursor.since(start);
    if (bytes.length === 0) attributes.push({ kind: "attribute", name, span });
    else if (bytes.length <= 4 && !textual.has(name.text)) {
      const value = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
      const word = name.text === "Target" ? targets[value] : undefined;
      attributes.push({ kind: "attribute", name, value: word ?? value, span });
    } else {
      const value = textOf(bytes);
      if (!spellings.quoted.test(value))
        throw new Broken("PTX8506", `the value of ${name.text} is not a text, at byte ${start}`, span);
      attributes.push({ kind: "attribute", name, value, span });
    }
  }
  return attributes;
}
