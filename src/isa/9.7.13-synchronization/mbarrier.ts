import { form, type Section, section } from "../form/define.ts";
import { bringing, open } from "../form/open.ts";

const ss = ["shared", "shared::cta", "shared::cluster"] as const;
const scope = ["cta", "cluster"] as const;
const late = { ptx: 80, sm: 90 };
const words = {
  "shared::cta": { ptx: 78, sm: 80 },
  "shared::cluster": late,
  relaxed: late,
  release: { ptx: 80, sm: 80 },
  acquire: { ptx: 80, sm: 80 },
  cluster: late,
} as const;
const old = { ptx: 70, sm: 80 };

/** 9.7.13.15. */
export const mbarrier: Section = section(
  "9.7.13.15",
  "mbarrier",
  "parallel-synchronization-and-communication-instructions",
  [
    form("mbarrier.init{.ss}.b64 [a], n", {
      where: { ss },
      operands: { a: open, n: open },
      since: bringing(old, words),
    }),
    form("mbarrier.inval{.ss}.b64 [a]", { where: { ss }, operands: { a: open }, since: bringing(old, words) }),
    form("mbarrier.what{.sem}{.scope}{.ss}.b64 [a], n", {
      where: { what: ["expect_tx", "complete_tx"], sem: ["relaxed"], scope, ss },
      operands: { a: open, n: open },
      since: bringing(late, words),
    }),
    form("mbarrier.act{.expect_tx}{.noComplete}{.sem}{.scope}{.ss}.b64 state, [a]{, n}", {
      where: { act: ["arrive", "arrive_drop"], sem: ["release", "relaxed"], scope, ss },
      operands: { state: open, a: open, n: open },
      since: bringing(old, { ...words, expect_tx: late }),
    }),
    form("mbarrier.wait{.parity}{.sem}{.scope}{.ss}.b64 p, [a], state{, limit}", {
      where: { wait: ["test_wait", "try_wait"], sem: ["acquire", "relaxed"], scope, ss },
      operands: { p: open, a: open, state: open, limit: open },
      since: bringing(old, { ...words, try_wait: { ptx: 78, sm: 90 }, parity: { ptx: 71, sm: 80 } }),
    }),
    form("mbarrier.pending_count.b64 d, state", { operands: { d: open, state: open }, since: old }),
  ],
);
