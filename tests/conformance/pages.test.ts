import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readLitmus } from "../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { readPublished } from "../../packages/memory-model/litmus/published/read-published.ts";
import { prepare } from "../../packages/memory-model/litmus/verdict.ts";
import { lint } from "../../src/host/index.ts";
import { codes, type Diagnostic, Source } from "../../src/source/index.ts";
import { isLitmus } from "../../src/source/litmus-mark.ts";

/** `.version 7.0 ... text`: what a page says of the module around its example. */
interface Example {
  readonly version?: string;
  readonly target?: string;
  readonly text: string;
}

function read(page: string): Example {
  const [head = "", ...rest] = page.split(/\s\.\.\. /);
  const said = /^\.(version|target) (.*)$/.exec(head);
  if (said === null || rest.length === 0) return { text: page };
  return { [said[1] === "version" ? "version" : "target"]: said[2] ?? "", text: rest.join("\n") };
}

const inModule = ({ text, version = "9.0", target = version > "7.7" ? "sm_90" : "sm_70" }: Example, before = "") =>
  lint(`.version ${version}\n.target ${target}\n${before}${text}\n`);

/** The places an example can stand in: by itself, as a snippet of its target, in a module, in a kernel of a module. */
const places: readonly ((example: Example) => readonly Diagnostic[])[] = [
  ({ text, version, target }) =>
    lint(text, { ...(version === undefined ? {} : { version }), ...(target === undefined ? {} : { target }) }),
  inModule,
  (example) => inModule(example, ".global .b8 x[8];\n"),
  (example) => inModule({ ...example, text: `.entry main() {\n${example.text}\nret;\n}` }),
  (example) => inModule({ ...example, text: `.entry main() {\n.reg .b32 %r<9>;\n${example.text}\nret;\n}` }),
  ({ text }) => lint(`.version 9.0\n${text}\n`),
  ({ text }) => lint(`${text}\n.entry main() { ret; }\n`),
  ({ text }) => lint(`${text}\n.target sm_90\n`),
  ({ text }) => {
    const [call, ...declared] = text.split("\n... ").reverse();
    return inModule({ text: `${declared.join("\n")}\n.entry main() {\n${call}\nret;\n}` });
  },
];

/** The diagnostics of a litmus test, in either form. */
function litmus(text: string): readonly Diagnostic[] {
  const source = new Source("test", text);
  const { value, diagnostics } = isLitmus(text) ? readLitmus(source) : readPublished(source);
  return value === undefined ? diagnostics : [...diagnostics, ...prepare(value).diagnostics];
}

const columns = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;";
const published = ({ initial = "{ x = 0; }", head = columns, cell = "ld.weak r1, x", claim = "exists (x == 0)" }) =>
  litmus(`PTX t\n${initial}\n ${head}\n st.weak x, 1 | ld.weak r0, x ;\n | ${cell} ;\n${claim}\n`);
const plain = ({ thread = "//@ thread P0", body = "", claim = "//@ exists x == 0" }) =>
  litmus(
    `//@ litmus t\n.global .u32 x;\n.shared .u32 s;\n${thread}\nld.weak.global.u32 r1, [x];\n${body}\n//@ thread P1\nld.weak.global.u32 r0, [x];\n${claim}\n`,
  );

/** The places that an example of a litmus test can stand in: of the published form, and of plain PTX. */
const litmusPlaces: readonly ((example: Example) => readonly Diagnostic[])[] = [
  ({ text }) => published({ claim: text }),
  ({ text }) => published({ initial: text }),
  ({ text }) => published({ head: text }),
  ({ text }) => published({ cell: text }),
  ({ text }) => plain({ claim: text }),
  ({ text }) => plain({ thread: text }),
  ({ text }) => plain({ body: text }),
];

const shown = [...codes].filter(([code, { wrong }]) => /^PTX[19]/.test(code) && wrong !== undefined);

describe("the example of a code's page", () => {
  test("is there for nearly all codes that PTX text can draw", () => {
    expect(shown.length).toBeGreaterThan(95);
  });

  test.each(shown)("%s: the wrong lines draw it, the right ones draw no error", (code, { wrong = "", right }) => {
    const verdictAt = (place: (typeof places)[number]): string => {
      const drawn = place(read(wrong)).map((found) => found.code);
      if (!drawn.some((each) => each === code)) return `the wrong lines draw ${drawn.join(" ") || "nothing"}`;
      const left =
        right === undefined
          ? []
          : place(read(right)).filter((found) => found.severity === "error" || found.code === code);
      return left.length === 0 ? "right" : `the right lines draw ${left.map((found) => found.code).join(" ")}`;
    };
    const all = code.startsWith("PTX19") ? litmusPlaces : places;
    if (!all.some((place) => verdictAt(place) === "right")) expect(all.map(verdictAt)).toContain("right");
  });
});

test("a code has one page, whatever the file", () => {
  const folder = new URL("../../src/source/codes/", import.meta.url);
  const written = readdirSync(folder).flatMap((file) =>
    [...readFileSync(new URL(file, folder), "utf8").matchAll(/^ {2}(PTX\d{4}): \{/gm)].map(([, code]) => code ?? ""),
  );
  expect(written.filter((code, at) => written.indexOf(code) !== at)).toEqual([]);
  expect(written).toHaveLength(codes.size);
});
