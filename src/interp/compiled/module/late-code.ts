import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { late, MOST_WAITING } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";

/**
 * Writes a function, (lanes, instruction, space), that lets a load wait whose addresses are in the state, and returns 0;
 * or returns the lanes, if observers have to be notified of it now. `space`: `late.global` or `late.shared`.
 */
export function waitFunction(module: ModuleWriter): number {
  const code = new Code(3);
  const [lanes, instruction, space] = [0, 1, 2];
  const local = (): number => code.local("i32");
  const [start, state, first, count, at, apart] = [local(), local(), local(), local(), local(), code.local("v128")];
  const unless = (): void => {
    code.if().get(lanes).scalar("return").end();
  };
  code.globalGet(globals.late).tee(start).scalar("i32.eqz");
  code.get(lanes).i32(-1).scalar("i32.ne").scalar("i32.or");
  unless();
  code.get(start).get(space).scalar("i32.add").access("i32.load").scalar("i32.eqz");
  code.get(start).access("i32.load", late.count).tee(count).i32(MOST_WAITING).scalar("i32.ge_u").scalar("i32.or");
  code.globalGet(globals.state).tee(state).access("i32.load", offsetOf.observedWhere).set(first);
  code.get(instruction).i32(2).scalar("i32.shl").get(start).scalar("i32.add").set(at);
  code.get(first).get(at).access("i32.load", late.from).scalar("i32.sub");
  code.get(at).access("i32.load", late.length).scalar("i32.ge_u").scalar("i32.or");
  unless();
  code.get(instruction).i32(7).scalar("i32.shl").get(start).scalar("i32.add").set(at);
  code.get(first).vector("i32x4.splat").set(apart);
  for (let chunk = 0; chunk < 4 * LANES; chunk += 16) {
    code
      .get(state)
      .access("v128.load", offsetOf.observedWhere + chunk)
      .get(apart)
      .vector("i32x4.sub");
    code
      .get(at)
      .access("v128.load", late.lanes + chunk)
      .vector("v128.xor");
    if (chunk > 0) code.vector("v128.or");
  }
  code.vector("v128.any_true");
  unless();
  code.get(count).i32(3).scalar("i32.shl").get(start).scalar("i32.add").tee(at);
  code.get(state).access("i32.load", offsetOf.turn).i32(16).scalar("i32.shl").get(instruction).scalar("i32.or");
  code.access("i32.store", late.waiting);
  code
    .get(at)
    .get(first)
    .access("i32.store", late.waiting + 4);
  code.get(start).get(count).i32(1).scalar("i32.add").access("i32.store", late.count).i32(0);
  return module.function({ takes: ["i32", "i32", "i32"], gives: ["i32"] }, code);
}
