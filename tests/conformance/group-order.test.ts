import { describe, expect, it } from "vitest";
import { left } from "./on-device.ts";

/** A lane's turn at the counter that `in` points at, kept in its word. */
const ticket = "atom.global.add.u32 %r9, [%in], 1; st.global.u32 [%at], %r9;";

describe("lanes that wait for others in a call", () => {
  // The callee lies behind the kernel, so that its pc is above that of all who wait.
  const module = ".func f() { .reg .b32 %r; mov.u32 %r, 1; add.u32 %r, %r, 1; ret; }";
  const odd = "and.b32 %r1, %lane, 1; setp.eq.u32 %p1, %r1, 1;";

  it("go on together with those that return", () => {
    const body = `${odd}\n@%p1 call f;\nactivemask.b32 %r2; st.global.u32 [%at], %r2;`;
    expect(left(body, 8, { module, launch: { block: 8 } })).toEqual([255, 255, 255, 255, 255, 255, 255, 255]);
  });

  it("let calls within the call go first", () => {
    const nested = `${module}
.func g(.reg .b32 %some) { .reg .pred %p; setp.ne.u32 %p, %some, 0; @%p call f; ret; }`;
    const body = `${odd} shr.u32 %r3, %lane, 1; and.b32 %r3, %r3, 1;
  @%p1 call g, (%r3);\nactivemask.b32 %r2; st.global.u32 [%at], %r2;`;
    expect(left(body, 8, { module: nested, launch: { block: 8 } })).toEqual([255, 255, 255, 255, 255, 255, 255, 255]);
  });
});

describe("lanes that join others who have spun for long", () => {
  it("run as if nobody had spun, before those further down", () => {
    // Lane 0 spins; lane 1 lets it go and joins it at SPIN; lane 2 waits further down and would have come first.
    const body = `setp.eq.u32 %p1, %lane, 1; @%p1 bra RELEASE;
  setp.eq.u32 %p2, %lane, 2; @%p2 bra LATER;
SPIN: ld.volatile.global.u32 %r1, [%in+4]; setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN;
  ${ticket} bra END;
RELEASE: st.volatile.global.u32 [%in+4], 1; bra SPIN;
LATER: ${ticket}
END:`;
    expect(left(body, 3, { given: new Uint32Array(2), launch: { block: 3 } })).toEqual([0, 1, 2]);
  });

  it("do so when they are set aside to join them", () => {
    // Lanes 1 and 3 part before SPIN: one joins lane 0 there while the other goes on.
    const body = `and.b32 %r1, %lane, 1; setp.eq.u32 %p1, %r1, 1; @%p1 bra ODD;
  setp.eq.u32 %p2, %lane, 2; @%p2 bra LATER; bra SPIN;
RELEASE: st.volatile.global.u32 [%in+4], 1; setp.eq.u32 %p2, %lane, 1; @%p2 bra PAST;
SPIN: ld.volatile.global.u32 %r1, [%in+4]; setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN;
  ${ticket} bra END;
ODD: bra RELEASE;
PAST: ${ticket} bra END;
LATER: ${ticket}
END:`;
    expect(left(body, 4, { given: new Uint32Array(2), launch: { block: 4 } })).toEqual([0, 2, 3, 1]);
  });
});
