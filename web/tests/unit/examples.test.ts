import { describe, expect, it } from "vitest";
import { forms as visaForms } from "../../../packages/visa/src/isa/table.ts";
import { table } from "../../../src/isa/index.ts";
import { exampleOf } from "../../site/example/check-example.ts";
import type { Example, Gives } from "../../site/example/example.ts";
import { visaExample } from "../../site/example/visa-example.ts";
import { ran } from "../../site/ran.ts";

/** Forms with a check that the fields of a page cannot say: a sampler, and levels of a texture with texels of their own. */
const unsaid = ["tex.level.geom", "tex.grad.geom", "txq.force_unnormalized_coords"];

/** Runs an example, and says in words what is not as it should be. */
async function wrongIn({ project, gives }: Example): Promise<string[]> {
  const { diagnostics, result } = await ran(project);
  const said = diagnostics.filter(({ severity, code }) => severity !== "note" && code !== "PTX4001");
  const wrong = said.map(({ message }) => message);
  if (result?.stop.reason !== "exit") wrong.push(`ends with ${result?.stop.reason}`);
  const { threads = [], buffers = [] } = result?.state ?? {};
  const got = (each: Gives): string => {
    if (each.kind === "buffer")
      return String(buffers.find(({ name }) => name === each.name)?.bits.slice(0, each.bits.length));
    const wanted = each.kind === "carry" ? "cc.cf" : each.name;
    return String(threads[0]?.registers.find(({ name }) => name === wanted)?.bits);
  };
  for (const each of gives) {
    const wanted = String(each.kind === "carry" ? each.value : each.bits);
    if (got(each) !== wanted) wrong.push(`${got(each)} in place of ${wanted}`);
  }
  return wrong.map((words) => `${words}, in\n${project.text}`);
}

describe("the examples of the manual", () => {
  it.each(table.map((section) => [section.name, section] as const))(
    "of %s run, and give what the table says",
    async (_, { forms }) => {
      const wrong: string[] = [];
      for (const form of forms)
        for (const check of form.check) {
          const example = exampleOf(form, check);
          if (example !== undefined) wrong.push(...(await wrongIn(example)));
          else if (!unsaid.some((start) => form.syntax.startsWith(start))) wrong.push(`${form.syntax}: no example`);
        }
      expect(wrong).toEqual([]);
    },
  );

  it("of vISA run, and give what its table says", async () => {
    const examples = visaForms.flatMap((form) => form.check.map((check) => visaExample(form, check)));
    const wrong: string[] = [];
    for (const example of examples) if (example !== undefined) wrong.push(...(await wrongIn(example)));
    expect(wrong).toEqual([]);
    expect(examples.filter((example) => example !== undefined).length).toBeGreaterThan(28);
  });

  it("ask for nothing that they do not give", async () => {
    const asked: string[] = [];
    for (const { forms } of table)
      for (const form of forms.slice(0, 4)) {
        const [check] = form.check;
        const example = check && exampleOf(form, check);
        if (example === undefined) continue;
        const { diagnostics } = await ran(example.project);
        asked.push(...diagnostics.filter(({ code }) => code === "PTX2205").map(({ message }) => message));
      }
    expect(asked).toEqual([]);
  });
});
