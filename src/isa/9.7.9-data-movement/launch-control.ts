import { genericPlace, sharedPlace, specificToo } from "../form/bulk-operands.ts";
import { registerOf, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";

const since = { ptx: 86, sm: 100 } as const;
const completion = ["mbarrier::complete_tx::bytes"] as const;

/** 9.7.13.18 and 9.7.13.19. */
export const launchControl: readonly Form[] = [
  form("clusterlaunchcontrol.try_cancel.async{.ss}.completion{.all}.b128 [a], [mbar]", {
    where: { ss: ["shared::cta"], completion, all: ["multicast::cluster::all"] },
    operands: ({ ss }) => {
      const place = ss === undefined ? genericPlace : sharedPlace;
      return { a: place, mbar: place };
    },
    since: ({ all }) => (all === undefined ? since : specificToo),
  }),
  form("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r", {
    operands: { p: { kind: "predicate", access: "write" }, r: registerOf("b128") },
    since,
  }),
  form("clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 d, r", {
    operands: { d: { kind: "vector", count: 4, of: to("b32", { sink: true }) }, r: registerOf("b128") },
    since,
  }),
  form("clusterlaunchcontrol.query_cancel.what.b32.b128 d, r", {
    where: { what: ["get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"] },
    operands: { d: to("b32"), r: registerOf("b128") },
    since,
  }),
];
