import { form, type Section, section } from "./define.ts";

const since = { ptx: 10, sm: 10 };

/** 9.7.12. */
export const control: Section = section("9.7.12", "Control Flow", "control-flow-instructions", [
  form("bra{.uni} t", {
    operands: { t: { kind: "target", what: "label" } },
    since,
    run: () => ({ shape: "branch" }),
    check: [{ snippet: ".reg .b32 d; mov.b32 d, 1; bra L; mov.b32 d, 2; L: exit;", gives: { d: 1 } }],
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
  form("trap", {
    operands: {},
    since,
    run: () => ({ shape: "trap" }),
    check: [{ snippet: ".reg .b32 d; .reg .pred p; setp.ne.u32 p, 0, 0; mov.b32 d, 1; @p trap;", gives: { d: 1 } }],
  }),
  form("brkpt", {
    operands: {},
    since: { ptx: 10, sm: 11 },
    run: () => ({ shape: "nothing" }),
    check: [{ snippet: ".reg .b32 d; mov.b32 d, 1; brkpt;", gives: { d: 1 } }],
  }),
]);
