import { describe, expect, it } from "vitest";
import { ledgerBytes, ledgerOf, STORED_TO } from "../../../../src/interp/memory/ledger.ts";
import { Linear } from "../../../../src/interp/memory/linear.ts";
import { Memory, PAGE } from "../../../../src/interp/memory/memory.ts";
import { Overlay } from "../../../../src/interp/memory/overlay.ts";
import { kernel, run, work } from "./several-workers.ts";

const PAGES = 64;

/** An overlay over a memory with one allocation of 64 pages that count from 0 on, word by word. */
function overlay() {
  const memory = new Memory({ limit: 1 << 20 });
  const at = Number(BigInt.asUintN(32, memory.allocate({ name: "table", bytes: PAGES * PAGE, align: PAGE })!));
  memory.put(at, new Uint8Array(Uint32Array.from({ length: (PAGES * PAGE) / 4 }, (_, word) => word).buffer));
  const pages = memory.linear.distance / PAGE;
  const ledger = ledgerOf(new SharedArrayBuffer(ledgerBytes(pages)), pages);
  const own = new Overlay({ limit: 1 << 20, linear: new Linear(memory.linear.distance), base: memory.linear, ledger });
  own.allocations.restore(memory.allocations.save());
  const first = at / PAGE;
  const read = (page: number): void => own.know(at + page * PAGE + 64, 4);
  const shown = (): number => own.shadow.u8.subarray(at, at + PAGES * PAGE).filter((mark) => (mark & 2) !== 0).length;
  return { own, at, first, ledger, read, shown };
}

describe("what an overlay shows of an allocation", () => {
  it("is what was asked for at first, and whole pages ahead once some have been read and none stored to", () => {
    const { own, at, first, ledger, read, shown } = overlay();
    for (const page of [0, 1, 2]) read(page);
    expect(shown()).toBe(12);
    read(3);
    expect(shown()).toBe(12 + 4 * PAGE);
    expect([...ledger.low.subarray(first, first + 8)]).toEqual([64, 64, 64, 0, 0, 0, 0, 0]);
    expect([...ledger.high.subarray(first, first + 8)]).toEqual([68, 68, 68, PAGE, PAGE, PAGE, PAGE, 0]);
    expect(own.data.u32[(at + 5 * PAGE) / 4 + 9]).toBe((5 * PAGE) / 4 + 9);
    for (let page = 7; page < PAGES; page++) read(page);
    expect(shown()).toBe(12 + (PAGES - 3) * PAGE);
  });

  it("is what was asked for, where it is stored to, by itself or by others, or where somebody wants it exactly", () => {
    const stores: readonly ((made: ReturnType<typeof overlay>) => void)[] = [
      ({ own, at }) => own.know(at, 4, false),
      ({ own, at, read }) => {
        read(0);
        own.initialise(at + 64, 4);
      },
      ({ own, first, read }) => {
        read(0);
        const changed = new Uint8Array(own.linear.distance / PAGE);
        changed[first + 40] = 1;
        own.refresh(changed);
      },
      ({ own }) => {
        own.careful = true;
      },
    ];
    for (const store of stores) {
      const made = overlay();
      store(made);
      for (let page = 1; page < 20; page++) made.read(page);
      expect([...made.ledger.high.subarray(made.first + 1, made.first + 20)]).toEqual(Array(19).fill(68));
      made.own.sweep();
      expect((made.ledger.flags[made.first + 1]! & STORED_TO) === 0).toBe(true);
    }
  });

  it("does not outlive a launch", () => {
    const { own, read, shown, at } = overlay();
    own.know(at, 4, false);
    own.refresh();
    for (let page = 0; page < 4; page++) read(page);
    expect(shown()).toBe(12 + 4 * PAGE);
  });
});

/** Each thread adds up a word of each page of a table, behind its middle; `also` happens besides. */
const summing = (also: string): string =>
  kernel(
    `${work} mov.u64 %rd4, table; cvta.global.u64 %rd4, %rd4; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd4, %rd5;
     mov.u32 %r6, 0; mov.u32 %r7, 0;
     SUM: ld.global.u32 %r8, [%rd5+2048]; add.u32 %r7, %r7, %r8; add.u64 %rd5, %rd5, ${PAGE};
     add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, ${PAGES}; @%p1 bra SUM;
     setp.eq.u32 %p2, %r1, 20; mad.lo.u32 %r9, %r1, 3, 1; ${also} st.global.u32 [%rd3], %r7;`,
    `.visible .global .align 4 .b32 table[${(PAGES * PAGE) / 4}] = {5, 6, 7};`,
  );

describe("blocks that read a table", () => {
  const whole = ["nobody changes", ""] as const;
  const apart = ["one changes where nobody reads", `@%p2 st.global.u32 [%rd4+${50 * PAGE + 16}], %r9;`] as const;
  const there = ["one changes where others read", `@%p2 st.global.u32 [%rd4+${50 * PAGE + 2056}], %r9;`] as const;
  it.each([whole, apart, there])("that %s leave what one worker would have left", (_, also) => {
    const alone = run(summing(also), {}, 0);
    for (const workers of [2, 3]) {
      const { seen, teamwork } = run(summing(also), {}, workers);
      expect(seen).toEqual(alone.seen);
      expect(teamwork?.blocks).toBeGreaterThan(15);
      if (also !== there[1]) expect(teamwork?.alone).toBe("");
    }
  });
});
