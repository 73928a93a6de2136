import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { globals, NOBODY } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";

/** Functions of a module for groups of lanes that wait at other pcs, as in `warp/groups.ts` for one rank. */
export interface GroupFunctions {
  /** (pc, block, lanes): a group waits there, and joins the lanes that do already. */
  readonly wait: number;
  /** Makes the group with the lowest pc run, and returns its block, or the complement of its pc. There must be one. */
  readonly next: number;
}

export function groupFunctions(module: ModuleWriter): GroupFunctions {
  return { wait: waitFunction(module), next: nextFunction(module) };
}

function waitFunction(module: ModuleWriter): number {
  const code = new Code(3);
  const [pc, block, lanes] = [0, 1, 2];
  const [list, at, end] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const { groups } = offsetOf;
  code.globalGet(globals.state).set(list);
  // From the end of the list, as an address, down to the first group whose pc is not lower.
  code.get(list).globalGet(globals.state).access("i32.load", offsetOf.waiting).i32(2).scalar("i32.shl");
  code.scalar("i32.add").tee(end).set(at);
  code.block().loop();
  code.get(at).get(list).scalar("i32.eq").branchIf(1);
  code.get(at).i32(4).scalar("i32.sub").access("i32.load", groups.pc).get(pc).scalar("i32.ge_u").branchIf(1);
  code.get(at).i32(4).scalar("i32.sub").set(at).branch(0).end().end();
  code.get(at).get(list).scalar("i32.ne").if();
  code.get(at).i32(4).scalar("i32.sub").access("i32.load", groups.pc).get(pc).scalar("i32.eq").if();
  code.get(at).i32(4).scalar("i32.sub").tee(at);
  code
    .get(at)
    .access("i32.load", groups.lanes)
    .get(lanes)
    .scalar("i32.or")
    .access("i32.store", groups.lanes)
    .scalar("return");
  code.end().end();
  // The groups with lower pcs move up by one.
  code.block().loop();
  code.get(end).get(at).scalar("i32.eq").branchIf(1);
  for (const offset of [groups.pc, groups.block, groups.lanes])
    code.get(end).get(end).i32(4).scalar("i32.sub").access("i32.load", offset).access("i32.store", offset);
  code.get(end).i32(4).scalar("i32.sub").set(end).branch(0).end().end();
  code.get(at).get(pc).access("i32.store", groups.pc);
  code.get(at).get(block).access("i32.store", groups.block);
  code.get(at).get(lanes).access("i32.store", groups.lanes);
  code.globalGet(globals.state).globalGet(globals.state).access("i32.load", offsetOf.waiting);
  code.i32(1).scalar("i32.add").access("i32.store", offsetOf.waiting);
  return module.function({ takes: ["i32", "i32", "i32"], gives: [] }, code);
}

function nextFunction(module: ModuleWriter): number {
  const code = new Code(0);
  const [count, at, block] = [code.local("i32"), code.local("i32"), code.local("i32")];
  code.globalGet(globals.state).globalGet(globals.state).access("i32.load", offsetOf.waiting);
  code.i32(1).scalar("i32.sub").tee(count).access("i32.store", offsetOf.waiting);
  const { groups } = offsetOf;
  code.globalGet(globals.state).get(count).i32(2).scalar("i32.shl").scalar("i32.add").set(at);
  code.get(at).access("i32.load", groups.lanes).globalSet(globals.active);
  code.i32(NOBODY).globalSet(globals.meet);
  code.get(count).if();
  code.get(at).i32(4).scalar("i32.sub").access("i32.load", groups.pc).globalSet(globals.meet).end();
  code.get(at).access("i32.load", groups.block).tee(block);
  code.get(at).access("i32.load", groups.pc).i32(-1).scalar("i32.xor");
  code.get(block).i32(0).scalar("i32.ge_s").scalar("select");
  return module.function({ takes: [], gives: ["i32"] }, code);
}
