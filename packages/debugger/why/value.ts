import type { WriteTarget } from "../../../src/host/debugger/stop.ts";
import { registerOf } from "../../../src/host/debugger/target.ts";
import type { Why } from "./cause.ts";
import { type Extent, Follower } from "./follow.ts";
import type { Lead } from "./lead.ts";
import { type NamedPlace, Names } from "./names.ts";
import type { Past } from "./past.ts";

/** A value that somebody asks about, as it was written: `out[5]`. */
export interface AskedValue {
  readonly text: string;
  readonly target: WriteTarget;
  readonly type: string;
  /** Of a vector register: the element. */
  readonly element?: number;
}

/** The causes of a value at the moment that a past ends. */
export function whyValue(past: Past, places: readonly NamedPlace[], asked: AskedValue, extent: Extent = {}): Why {
  const follower = new Follower(past, new Names(past, places));
  return { subject: asked.text, causes: follower.causes([leadTo(past, asked, follower)], extent) };
}

function leadTo(past: Past, { text, target, type, element = 0 }: AskedValue, { reader }: Follower): Lead {
  const before = { step: past.now };
  switch (target.kind) {
    case "memory": {
      const { space, address, bytes, thread = { block: 0, warp: 0, lane: 0 } } = target;
      const lead = reader.memory(before, { space, address, bytes, thread }, type);
      return { ...lead, value: { ...lead.value, name: text } };
    }
    case "carry":
      return {
        value: { name: text, type: "pred", bits: BigInt(past.carry(past.now, target.thread)) },
        sought: { kind: "carry", thread: target.thread },
        before,
      };
    case "register": {
      const { thread, name, scope } = target;
      past.carry(past.now, thread);
      const { register, callee } = registerOf(past.session, thread, name, scope);
      const { bank, slot, bits } = register;
      // Of a block that has ended, what was kept.
      const kept = () => past.session.registers(thread, callee).find((each) => each.name === name)?.bits;
      const value = (past.machine.value(thread, register) ?? kept())?.[element];
      return {
        value: { name: text, type, bits: value },
        sought: { kind: "slot", thread, bank, slot: slot + element, low: 0, bits: Math.min(bits, 64) },
        before,
      };
    }
  }
}
