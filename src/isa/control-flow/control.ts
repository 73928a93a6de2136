import { of } from "../form/classes.ts";
import { form, type Section, section } from "../form/define.ts";

const since = { ptx: 10, sm: 10 };

export const control: Section = section(
  "control-flow",
  [
    form("bra{.uni} t", {
      operands: { t: { kind: "target", what: "label" } },
      since,
      run: () => ({ shape: "branch" }),
      check: [{ snippet: ".reg .b32 d; mov.b32 d, 1; bra L; mov.b32 d, 2; L: exit;", gives: { d: 1 } }],
    }),
    form("brx.idx{.uni} i, t", {
      operands: { i: of("u32", { types: ["u32", "b32", "s32"] }), t: { kind: "target", what: "list" } },
      since: { ptx: 51, sm: 30 },
      run: () => ({ shape: "switch" }),
      check: [
        {
          snippet:
            ".reg .b32 i, d; mov.b32 i, 1; t: .branchtargets A, B; brx.idx i, t; A: mov.b32 d, 1; exit; B: mov.b32 d, 2; exit;",
          gives: { d: 2 },
        },
      ],
    }),
    form("call{.uni} {(r), }f{, (a)}{, t}", {
      operands: { r: { kind: "results" }, f: { kind: "callee" }, a: { kind: "arguments" }, t: { kind: "callees" } },
      since,
      run: () => ({ shape: "call" }),
      check: [
        {
          functions: ".func (.reg .b32 y) twice(.reg .b32 x) { add.u32 y, x, x; ret; }",
          snippet: ".reg .b32 d; call (d), twice, (21);",
          gives: { d: 42 },
        },
        {
          functions:
            ".func (.param .b32 y) next(.param .b32 x) { .reg .b32 v; ld.param.b32 v, [x]; add.u32 v, v, 1; st.param.b32 [y], v; ret; }",
          snippet:
            ".reg .b32 d; .reg .b64 p; .param .b32 x, y; mov.u64 p, next; st.param.b32 [x], 6; t: .callprototype (.param .b32 _) _ (.param .b32 _); call (y), p, (x), t; ld.param.b32 d, [y];",
          gives: { d: 7 },
        },
      ],
    }),
    form("ret{.uni}", {
      operands: {},
      since,
      run: () => ({ shape: "return" }),
      check: [{ snippet: ".reg .b32 d; mov.b32 d, 1; ret; mov.b32 d, 2;", gives: { d: 1 } }],
    }),
    form("exit", {
      operands: {},
      since,
      run: () => ({ shape: "exit" }),
      check: [{ snippet: ".reg .b32 d; mov.b32 d, 1; exit; mov.b32 d, 2;", gives: { d: 1 } }],
    }),
  ],
  { "": "brx=brx.idx" },
);
