import { expect, it } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";

/** Four instructions, then a label that is reached by falling through as well. */
const text = `.version 8.0
.target sm_80
.address_size 64
.entry k()
{
  .reg .b32 t, first, second, third; .reg .pred p;
  mov.u32 t, %tid.x; setp.lt.u32 p, t, 9;
  mov.u32 first, 1; mov.u32 second, 2;
again:
  mov.u32 third, 3; add.u32 t, t, 1;
  @p bra again;
  ret;
}`;

it.each([
  ["javascript", javascript],
  ["compiled", compiled],
] as const)(
  "a register counts as written once an instruction has written it, and not at the label before (%s)",
  (_, executor) => {
    const kernel = must(must(new Device().module({ name: "k", text })).kernel("k"));
    const session = must(kernel.session({ block: 32, executor }));
    const written = (): readonly string[] =>
      session.registers({ block: 0, warp: 0, lane: 3 }).flatMap((each) => (each.written ? [each.name] : []));
    session.run({ budget: 4 });
    expect(written()).toEqual(["t", "first", "second", "p"]);
    session.run({ budget: 3 });
    expect(written()).toEqual(["t", "first", "second", "third", "p"]);
  },
);
