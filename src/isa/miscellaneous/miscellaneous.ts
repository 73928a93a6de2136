import type { Plan } from "../../interp/contract/plan/plan.ts";
import { of } from "../form/classes.ts";
import { form, type Section, section } from "../form/define.ts";

const nothing = (why: string): Plan => ({ shape: "nothing", why });
const counters = "it triggers counters of the performance monitor, which no program can read";
const one = (line: string) => ({ snippet: `.reg .b32 d; mov.b32 d, 1; ${line}`, gives: { d: 1 } });

export const miscellaneous: Section = section("miscellaneous", [
  form("brkpt", {
    operands: {},
    since: { ptx: 10, sm: 11 },
    run: () => nothing("a breakpoint of a debugger that is not there; ptxrun repl has breakpoints of its own"),
    check: [one("brkpt;")],
  }),
  form("nanosleep.u32 t", {
    operands: { t: of("u32") },
    since: { ptx: 62, sm: 70 },
    run: () => nothing("any time from 0 to twice t will do, and 0 is one (PTX ISA, nanosleep)"),
    check: [one("nanosleep.u32 1000;")],
  }),
  form("pmevent a", {
    operands: { a: { kind: "literal", bits: 32, least: 0, most: 15 } },
    since: { ptx: 14, sm: 10 },
    run: () => nothing(counters),
    check: [one("pmevent 7;")],
  }),
  form("pmevent.mask a", {
    operands: { a: { kind: "literal", bits: 32, least: 0, most: 0xffff } },
    since: { ptx: 30, sm: 20 },
    run: () => nothing(counters),
    check: [one("pmevent.mask 0x81;")],
  }),
  form("trap", {
    operands: {},
    since: { ptx: 10, sm: 10 },
    run: () => ({ shape: "trap" }),
    check: [{ snippet: ".reg .b32 d; .reg .pred p; setp.ne.u32 p, 0, 0; mov.b32 d, 1; @p trap;", gives: { d: 1 } }],
  }),
  form("setmaxnreg.action.sync.aligned.u32 count", {
    where: { action: ["inc", "dec"] },
    operands: { count: { kind: "literal", bits: 32, least: 24, most: 256, multiple: 8 } },
    since: { ptx: 80, sm: 90, only: "f" },
    // A request about the register file, which has no limit here (PTX ISA, setmaxnreg).
    run: () => nothing("each warp has all of its registers here, whatever others have"),
    check: [one("setmaxnreg.inc.sync.aligned.u32 96;")],
  }),
]);
