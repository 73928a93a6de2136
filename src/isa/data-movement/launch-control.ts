import { genericPlace, sharedPlace, specificToo } from "../form/bulk-operands.ts";
import { registerOf, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";

const since = { ptx: 86, sm: 100 } as const;
const completion = ["mbarrier::complete_tx::bytes"] as const;

const registers = ".reg .b32 d, e, x; .reg .pred p; .reg .b128 r; .reg .b64 lo, hi;";
const asked = `${registers} .shared .align 16 .b64 s[2]; .shared .align 8 .b64 b; mov.b32 d, 7; mbarrier.init.shared::cta.b64 [b], 1; clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [s], [b]; mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16; W: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0; @!p bra W; ld.shared.b128 r, [s];`;
const answer = "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r;";
/** An answer as ptxrun writes it: x, y, z and whether it is one. */
const given = `${registers} mov.b64 lo, 0x0000000400000003; mov.b64 hi, 0x0000000100000005; mov.b128 r, {lo, hi};`;

export const launchControl: readonly Form[] = [
  form("clusterlaunchcontrol.try_cancel.async{.ss}.completion{.all}.b128 [a], [mbar]", {
    where: { ss: ["shared::cta"], completion, all: ["multicast::cluster::all"] },
    operands: ({ ss }) => {
      const place = ss === undefined ? genericPlace : sharedPlace;
      return { a: place, mbar: place };
    },
    since: ({ all }) => (all === undefined ? since : specificToo),
    run: ({ ss, all }) => ({
      shape: "cancel cluster",
      space: ss === undefined ? "generic" : "shared",
      all: all !== undefined,
    }),
    // A grid of one block has begun as a whole.
    check: [{ snippet: `${asked} ${answer} @p mov.b32 d, 8;`, gives: { d: 7 } }],
  }),
  form("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r", {
    operands: { p: { kind: "predicate", access: "write" }, r: registerOf("b128") },
    since,
    run: () => ({ shape: "cancel answer", what: "is_canceled" }),
    check: [{ snippet: `${asked} ${answer} @!p mov.b32 d, 8;`, gives: { d: 8 } }],
  }),
  form("clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 d, r", {
    operands: { d: { kind: "vector", count: 4, of: to("b32", { sink: true }) }, r: registerOf("b128") },
    since,
    run: () => ({ shape: "cancel answer", what: "xyz" }),
    check: [
      {
        snippet: `${given} clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {d, e, x, _}, r;`,
        gives: { d: 3, e: 4, x: 5 },
      },
    ],
  }),
  form("clusterlaunchcontrol.query_cancel.what.b32.b128 d, r", {
    where: { what: ["get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"] },
    operands: { d: to("b32"), r: registerOf("b128") },
    since,
    run: ({ what }) => ({
      shape: "cancel answer",
      what: what === "get_first_ctaid::x" ? "x" : what === "get_first_ctaid::y" ? "y" : "z",
    }),
    check: [
      { snippet: `${given} clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 d, r;`, gives: { d: 4 } },
    ],
  }),
];
