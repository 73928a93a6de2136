import { expect, test } from "vitest";
import { writtenCode } from "../../../../src/interp/compiled/module/program-code.ts";
import { parse } from "../../../../src/parser/index.ts";
import { loadModule } from "../../../../src/resolve/index.ts";
import { Source } from "../../../../src/source/source.ts";

// Found by fuzzing, seed 900020: seven million bytes for 21 instructions, which took half a minute to compile.
test("the code of a loop of short blocks does not grow with the ways through it", () => {
  const source = new Source(
    "loop",
    `.version 9.0
.target sm_90
.address_size 64
.entry k() {
  .reg .b32 i, r<2>; .reg .pred p<3>;
  mov.u32 i, 0;
again:
  @!p0 redux.sync.add.u32 r0, r1, 0xffffffff;
  @!p1 bra other;
  bra.uni end;
other:
end:
  add.u32 i, i, 1;
  setp.lt.u32 p2, i, 2;
  @p2 bra again;
  ret;
}`,
  );
  const { value: program } = loadModule(source, parse(source).value).value.kernel("k");
  const options = { lanes: 32, pages: 64, observable: true, observed: false, inRow: 32 } as const;
  expect(writtenCode(program!, options)!.bytes.length).toBeLessThan(500_000);
});
