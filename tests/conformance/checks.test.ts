import { describe, expect, test } from "vitest";
import { match } from "../../src/isa/match/match.ts";
import { table } from "../../src/isa/table.ts";
import { share } from "../share.ts";
import { runCheck, spell } from "./example.ts";

for (const { title, forms } of table) {
  if (!forms.some(({ executable }) => executable)) continue;
  describe(title, () => {
    test.each(forms.filter(({ executable }) => executable).map((form) => [form.syntax, form] as const))(
      "%s does what its checks say",
      (_, form) => {
        expect(form.check.length).toBeGreaterThan(0);
        expect(share(form.check, 12).flatMap((check) => runCheck(form, check))).toEqual([]);
      },
    );
  });
}

test("every form is found by the spelling that its own line gives", () => {
  const lost = table.flatMap(({ forms }) =>
    forms.filter((form) => {
      const words = spell(form, form.check.flatMap((check) => ("with" in check ? [check.with ?? []] : []))[0] ?? []);
      const [mnemonic = "", ...rest] = words.opcode.split(".");
      const found = match(mnemonic, rest);
      return found.kind === "forms" && !found.candidates.some((candidate) => candidate.form === form);
    }),
  );
  expect(lost.map(({ syntax }) => syntax)).toEqual([]);
});
