import { expect, it } from "vitest";
import { table } from "../../../src/isa/index.ts";
import { entriesOf } from "../../site/search/entries.ts";
import { find, MAX_RESULTS } from "../../site/search/find.ts";

const entries = entriesOf(table, [
  {
    path: "docs/repl.html",
    text: "",
    title: "The debugger",
    isForDevelopers: false,
    headings: [{ depth: 2, id: "going-back", text: "Going back in time", words: "" }],
  },
]);
const video = table.find(({ name }) => name === "video");
const first = (query: string): string | undefined => find(query, entries)[0]?.[1];

it.each([
  ["sad", "manual/integer.html#sad"],
  ["SAD", "manual/integer.html#sad"],
  ["PTX1204", "messages/PTX12.html#PTX1204"],
  ["ptx1204", "messages/PTX12.html#PTX1204"],
  ["going back", "docs/repl.html#going-back"],
  ["back going", "docs/repl.html#going-back"],
  [video!.number, "manual/video.html"],
  ["lop3", "manual/logic-shift.html#lop3"],
])("finds %s first at %s", (query, path) => expect(first(query)).toBe(path));

it("finds a form by a spelling of it", () => {
  const found = find("add.rn.bf16x2", entries).map(([title]) => title);
  expect(found[0]).toMatch(/^add\{?\.rnd?\}?.*bf16x2/);
});

it.each(["mma.sp", "red.add", "st.async"])("finds %s before instructions that merely have its words", (query) => {
  const [mnemonic = ""] = query.split(".");
  for (const [title] of find(query, entries).slice(0, 2)) expect(title).toMatch(new RegExp(`^${mnemonic}\\b`));
});

it("finds the beginning of a word", () => {
  expect(find("tcge", entries)[0]?.[0]).toBe("tcgen05");
});

it("finds nothing for nothing, and nothing for what is nowhere", () => {
  expect([find("", entries), find("  .,", entries), find("add xyzzy", entries)]).toEqual([[], [], []]);
});

it("gives no more than fit on a page", () => expect(find("a", entries)).toHaveLength(MAX_RESULTS));
