import type { AccessInstruction } from "../../wasm/instructions.ts";
import type { Pass } from "./call-site.ts";
import { CHUNK, eachChunk, type Frame, pushMask, ROW } from "./frame.ts";
import { LOCAL, LOCAL_STRIDE } from "./places.ts";
import { pushChunk, storeChunk, storeLanes } from "./row-code.ts";

/** Memory as the code of a call sees it. */
interface LocalMemory {
  /** Bytes from data to shadow. */
  readonly distance: number;
  /** An imported function, (at, bytes): fills in the shadow of pages that nobody has touched. */
  readonly know: number;
}

/** Moves arguments or results, one after the other: none of them lies where another one goes. */
export function writePasses(passes: readonly Pass[], frame: Frame, memory: LocalMemory): void {
  const { code, base, bankP } = frame;
  for (const pass of passes) {
    const { from, to } = pass;
    switch (pass.bank) {
      case "p":
        storeLanes(frame, to, () => {
          code.get(base).access("i32.load", bankP + 4 * from);
          if (pass.negated) code.i32(-1).scalar("i32.xor");
        });
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
  const { code, rowQ, active, full } = frame;
  eachChunk(frame, () => {
    for (const half of [0, 1]) {
      const offset = half * CHUNK;
      code.get(rowQ);
      code.get(rowQ).access("v128.load", from * 2 * ROW + offset);
      if (!full) {
        code.get(rowQ).access("v128.load", to * 2 * ROW + offset);
        code.get(active);
        pushMask(frame);
        code.get(active);
        pushMask(frame);
        code.shuffle([0, 0, 1, 1].flatMap((word) => [0, 1, 2, 3].map((byte) => 8 * half + 4 * word + byte)));
        code.vector("v128.bitselect");
      }
      code.access("v128.store", to * 2 * ROW + offset);
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
  code.get(state).access("i32.load", LOCAL_STRIDE).get(rest).scalar("i32.ctz").scalar("i32.mul");
  code.get(state).access("i32.load", LOCAL).scalar("i32.add").set(at);
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
