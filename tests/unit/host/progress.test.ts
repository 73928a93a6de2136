import { describe, expect, it } from "vitest";
import { Device, must, progressOf, threadsByInstruction } from "../../../src/host/index.ts";

/** A session of a kernel with `body` that has executed so many steps. */
function begun(steps: number, body: string, options: { readonly grid?: number; readonly block: number }) {
  const device = new Device();
  const module = must(
    device.module(
      `.version 8.0\n.target sm_80\n.entry k() { .reg .pred %p<3>; .reg .b32 %r<9>; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0;\n${body}\nret; }`,
    ),
  );
  const session = must(must(module.kernel("k")).session(options));
  session.run({ budget: steps });
  return session;
}

const places = (session: ReturnType<typeof begun>) =>
  threadsByInstruction(session).map(({ message, source, span }) => `${source.position(span.start).line}: ${message}`);

const spin = "L: add.u32 %r3, %r3, 1;\nbra L;\n";

describe("where the threads of a launch stand", () => {
  it("folds warps and blocks that stand alike", () => {
    const alike = `setp.lt.u32 %p1, %r1, 40;\n@%p1 bra W;\n${spin}W: bar.sync 0;\n`;
    const found = places(begun(2_000_000, alike, { grid: 5, block: 104 }));
    expect(found.at(-1)).toBe(
      "8: 200 threads of 10 warps waiting at barrier 0 here: blocks (0,0,0) to (4,0,0): warp 0, warp 1 lanes 0 to 7",
    );
    // Lanes that spin stand at either of two instructions.
    const spinning = found.slice(0, -1).map((each) => Number(/(\d+) threads/.exec(each)?.[1]));
    expect(spinning.reduce((sum, each) => sum + each, 0)).toBe(320);
    expect(found[0]).toContain("blocks (0,0,0) to ");
    expect(found[0]).toContain("warp 1 lanes 8 to 31, warps 2 to 3");
  });

  it("names whole blocks alone, and counts what is too much", () => {
    const odd = `and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, 1;\n@%p1 bra W;\nV: bar.sync 1, 96;\nbra V;\nW: bar.sync 2, 96;\n`;
    expect(places(begun(5000, odd, { grid: 11, block: 64 }))).toEqual([
      "7: 384 threads of 12 warps waiting at barrier 1 here: block (0,0,0); block (2,0,0); block (4,0,0); block (6,0,0); and 4 more warps",
      "9: 320 threads of 10 warps waiting at barrier 2 here: block (1,0,0); block (3,0,0); block (5,0,0); block (7,0,0); and 2 more warps",
    ]);
  });

  it("stays short when each lane of thousands of warps stands elsewhere", () => {
    const labels = Array.from({ length: 32 }, (_, lane) => `L${lane}`);
    const spread =
      `and.b32 %r4, %r1, 31;\nts: .branchtargets ${labels.join(", ")};\nbrx.idx %r4, ts;\n` +
      labels.map((label, lane) => `${label}: bar.sync ${lane % 16}, 1024;\nbra ${label};`).join("\n");
    const found = places(begun(400_000, spread, { grid: 300, block: 1024 }));
    expect(found).toHaveLength(13);
    expect(found.at(-1)).toMatch(/and at \d+ more places, as here$/);
    expect(Math.max(...found.map((each) => each.length))).toBeLessThan(300);
  });

  it("is nobody at the end", () => {
    expect(places(begun(100, "", { block: 1 }))).toEqual([]);
  });
});

describe("how far a launch is", () => {
  it("counts blocks that have ended, that run, and all", () => {
    const session = begun(10_000, `setp.lt.u32 %p1, %r2, 5;\n@%p1 exit;\n${spin}`, { grid: 9, block: 1 });
    const { steps, blocks } = progressOf(session);
    expect(steps).toBe(10_000);
    expect([blocks.done, blocks.all]).toEqual([5, 9]);
    expect(blocks.running).toBeGreaterThan(0);
  });
});
