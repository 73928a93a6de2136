import type { AccessInstruction } from "../../../wasm/instructions.ts";
import type { SlotOperand } from "../../contract/operand.ts";
import { addressIn } from "../../contract/window.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { CHUNK, eachChunk, type Frame, pushMask } from "../frame/frame.ts";
import { pushChunk, storeChunk, storeLanes } from "../frame/row-code.ts";
import { writeSame } from "../lanes/among-code.ts";
import type { Pass } from "./call-site.ts";

/** Memory as the code of a call sees it. */
interface LocalMemory {
  /** Bytes from data to shadow. */
  readonly distance: number;
  /** An imported function, (at, bytes): fills in the shadow of pages that were never touched. */
  readonly know: number;
}

/**
 * Leaves in a local of i64 the address in a register of all executing lanes; `apart` writes the exit if lanes differ.
 */
export function writeCommon({ bank, slot }: SlotOperand, frame: Frame, apart: () => void): number {
  const { code, base, active, bankR, row } = frame;
  const [first, same, address] = [code.local("i32"), code.local("i32"), code.local("i64")];
  code.get(active).scalar("i32.ctz").set(first);
  writeSame(bank === "q" ? 64 : 32, slot, first, same, frame);
  code.get(same).get(active).scalar("i32.ne").if();
  apart();
  code.end();
  code.get(base).get(first);
  if (bank === "q")
    code
      .i32(3)
      .scalar("i32.shl")
      .scalar("i32.add")
      .access("i64.load", slot * 2 * row);
  else {
    code.i32(2).scalar("i32.shl").scalar("i32.add");
    code
      .access("i32.load", bankR + slot * row)
      .scalar("i64.extend_i32_u")
      .i64(addressIn("code", 0))
      .scalar("i64.or");
  }
  code.set(address);
  return address;
}

/** Moves arguments or results, one after the other: none of them lies where another one goes. */
export function writePasses(passes: readonly Pass[], frame: Frame, memory: LocalMemory): void {
  const { code, base, bankP } = frame;
  for (const pass of passes) {
    const { from, to } = pass;
    switch (pass.bank) {
      case "p":
        storeLanes(frame, to, () => void code.get(base).access("i32.load", bankP + 4 * from));
        break;
      case "r": {
        const mask = pass.bits < 32 ? (1 << pass.bits) - 1 : -1;
        eachChunk(frame, () =>
          storeChunk(frame, to, () => {
            pushChunk(frame, from);
            if (mask !== -1) code.v128([mask, mask, mask, mask]).vector("v128.and");
          }),
        );
        break;
      }
      case "q":
        writeWide(from, to, frame);
        break;
      case "local":
        break;
    }
  }
  const places = passes.filter((pass) => pass.bank === "local");
  if (places.length > 0) writeMemory(places, frame, memory);
}

function writeWide(from: number, to: number, frame: Frame): void {
  const { code, rowQ, active, full, row } = frame;
  eachChunk(frame, () => {
    for (const half of [0, 1]) {
      const offset = half * CHUNK;
      code.get(rowQ);
      code.get(rowQ).access("v128.load", from * 2 * row + offset);
      if (!full) {
        code.get(rowQ).access("v128.load", to * 2 * row + offset);
        code.get(active);
        pushMask(frame);
        code.get(active);
        pushMask(frame);
        code.shuffle([0, 0, 1, 1].flatMap((word) => [0, 1, 2, 3].map((byte) => 8 * half + 4 * word + byte)));
        code.vector("v128.bitselect");
      }
      code.access("v128.store", to * 2 * row + offset);
    }
  });
}

const pieces: readonly (readonly [bytes: number, load: AccessInstruction, store: AccessInstruction])[] = [
  [8, "i64.load", "i64.store"],
  [4, "i32.load", "i32.store"],
  [2, "i32.load16_u", "i32.store16"],
  [1, "i32.load8_u", "i32.store8"],
];

/** Lane by lane, data and shadow. */
function writeMemory(
  places: readonly (Pass & { readonly bank: "local" })[],
  { code, state, active }: Frame,
  { distance, know }: LocalMemory,
): void {
  const [rest, at] = [code.local("i32"), code.local("i32")];
  code.get(active).set(rest).loop();
  code.get(state).access("i32.load", offsetOf.localStride).get(rest).scalar("i32.ctz").scalar("i32.mul");
  code.get(state).access("i32.load", offsetOf.local).scalar("i32.add").set(at);
  for (const { from, to, bytes } of places) {
    for (const place of [from, to]) {
      code
        .get(at)
        .access("i32.load8_u", distance + place)
        .scalar("i32.eqz");
      code
        .get(at)
        .access("i32.load8_u", distance + place + bytes - 1)
        .scalar("i32.eqz");
      code.scalar("i32.or").if().get(at).i32(place).scalar("i32.add").i32(bytes).call(know).end();
    }
    for (const shift of [0, distance]) {
      let done = 0;
      for (const [size, load, store] of pieces)
        for (; bytes - done >= size; done += size)
          code
            .get(at)
            .get(at)
            .access(load, shift + from + done)
            .access(store, shift + to + done);
    }
  }
  code.get(rest).get(rest).i32(1).scalar("i32.sub").scalar("i32.and").tee(rest).branchIf(0).end();
}

// The calls that a module has made and that have not returned: code for the stack that `CallStack` reads.

/** Leaves an i32 on the stack: not 0 if the module must not call: the stack is full, or some lanes wait elsewhere. */
export function writeMayNotCall({ code, state }: Frame): void {
  code.get(state).access("i32.load", offsetOf.callDepth).get(state).access("i32.load", offsetOf.callRoom);
  code.scalar("i32.ge_s").get(state).access("i32.load", offsetOf.waiting).scalar("i32.or");
  code.get(state).access("i32.load", offsetOf.heldLanes).scalar("i32.or");
}

/** Puts the block behind a call on top. */
export function writePush(behind: number, { code, state }: Frame): void {
  code.get(state).get(state).access("i32.load", offsetOf.callDepth).i32(2).scalar("i32.shl").scalar("i32.add");
  code.i32(behind).access("i32.store", offsetOf.callStack);
  code.get(state).get(state).access("i32.load", offsetOf.callDepth).i32(1).scalar("i32.add");
  code.access("i32.store", offsetOf.callDepth);
}

/** Leaves an i32 on the stack: not 0 if the module has made no call, or some of its lanes wait elsewhere. */
export function writeMayNotReturn({ code, state }: Frame): void {
  code.get(state).access("i32.load", offsetOf.callDepth).scalar("i32.eqz");
  code.get(state).access("i32.load", offsetOf.waiting).scalar("i32.or");
}

/** Pops the topmost block, and leaves it on the WebAssembly stack. */
export function writePop({ code, state }: Frame): void {
  code.get(state).get(state).access("i32.load", offsetOf.callDepth).i32(1).scalar("i32.sub");
  code.access("i32.store", offsetOf.callDepth);
  code.get(state).get(state).access("i32.load", offsetOf.callDepth).i32(2).scalar("i32.shl").scalar("i32.add");
  code.access("i32.load", offsetOf.callStack);
}
