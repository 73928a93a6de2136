import { describe, expect, test, vi } from "vitest";
import { type Buffer, Device, must } from "../../../../src/index.ts";
import { Fallback } from "../../../../src/interp/compiled/running/fallback.ts";
import { Notifier } from "../../../../src/interp/compiled/running/notifier.ts";
import { compiled, type Executor, javascript, type Observer, type Session } from "../../../../src/interp/index.ts";

const access = vi.spyOn(Notifier.prototype, "access");
const met = vi.spyOn(Notifier.prototype, "met");

/** Four rounds of a body by 64 threads; i is the thread, x the address of its 16 bytes, y that of the block's word. */
const program = (body: string): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .shared .align 16 .b8 tile[1024]; .local .align 16 .b8 own[32];
  .reg .b32 i, c, d, e, s; .reg .f32 f, g, k, l; .reg .b64 x, y, v, w; .reg .b16 h; .reg .pred p, q, r;
  ld.param.b64 y, [out]; mov.u32 i, %tid.x; mul.wide.u32 v, i, 16; add.s64 x, y, v; add.s64 x, x, 16;
  mov.u32 s, tile; mad.lo.u32 s, i, 16, s; mov.u32 c, 0; mov.b64 v, 5; mov.b16 h, 9; setp.lt.u32 p, i, 45; setp.lt.u32 q, i, 32;
  mov.u32 d, 7; mov.u32 e, 3; st.local.b32 [own], i; st.shared.b32 [s], i; bar.sync 0;
again:
  ${body}
  add.u32 c, c, 1; setp.lt.u32 r, c, 4; @r bra again;
  ret;
}`;

interface Heard {
  readonly told: readonly string[];
  readonly end: unknown;
}

/** All that two observers hear, one by one and lane by lane, with the steps at that moment. */
function heard(
  body: string,
  executor: Executor,
  seen: boolean,
  more: (session: Session, out: Buffer) => Observer,
): Heard {
  const device = new Device();
  const kernel = must(must(device.module(program(body))).kernel("k"));
  const out = device.buffer(new Uint8Array(16 * 65));
  const session = must(kernel.session({ block: 64, args: [out], executor, readableRegisters: seen }))!;
  const told: string[] = [];
  const note =
    (what: string) =>
    (...about: unknown[]): void => {
      const cells = about.map((each) => (typeof each === "object" ? Object.values(each as object).join(".") : each));
      told.push([session.steps, what, ...cells].join(" "));
    };
  session.observe({
    load: note("load"),
    store: note("store"),
    atomic: note("atomic"),
    fence: note("fence"),
    warpSync: note("sync"),
    barrier: note("barrier"),
  });
  session.observe({
    access: ({ how, pc, block, warp, lanes, space, bytes, sem, scope, addresses, where }) => {
      const each = [...where].flatMap((at, lane) =>
        (lanes >>> lane) & 1 ? [lane, at, addresses[2 * lane], addresses[2 * lane + 1]] : [],
      );
      note("access")(how, pc, block, warp, lanes, space, bytes, sem, scope, ...each);
    },
  });
  session.observe(more(session, out));
  const { reason } = session.run();
  const end = [reason, session.steps, session.findings.map(({ message }) => message), out.read()];
  session.close();
  return { told, end };
}

/** Both executors let observers hear the same; compiled code tells of it by itself. */
function compare(body: string, more: (session: Session, out: Buffer) => Observer = () => ({})): void {
  for (const seen of [true, false]) {
    const expected = heard(body, javascript, seen, more);
    expect(access).not.toHaveBeenCalled();
    const { told, end } = heard(body, compiled, seen, more);
    expect(told).toEqual(expected.told);
    expect(end).toEqual(expected.end);
    expect(access.mock.calls.length).toBeGreaterThan(4);
    access.mockClear();
  }
}

describe("compiled code tells observers", () => {
  test.each([
    [
      "of loads, a register over its own address among them",
      "ld.global.b64 v, [x]; mov.b64 w, x; ld.global.b64 w, [w+8];",
    ],
    [
      "of vectors and narrow cells",
      "ld.global.v2.b32 {d, e}, [x]; st.global.v4.b32 [x], {d, e, i, c}; ld.global.u8 h, [x+3];",
    ],
    [
      "of what is stored, though no other instruction reads it",
      "xor.b32 d, i, 5; st.global.b32 [x+4], d; mov.b32 d, 0;",
    ],
    ["of many lanes at one place, each with its value", "add.u32 d, i, c; st.global.b32 [y], d;"],
    ["under a guard, and not where it holds for nobody", "@p st.global.b32 [x], i; @!q ld.global.b32 e, [x];"],
    ["of shared memory", "ld.shared.b32 d, [s]; add.u32 d, d, 1; bar.sync 0; st.shared.b32 [s], d;"],
    [
      "of local memory and parameters",
      "ld.local.b32 d, [own]; add.u32 d, d, 1; st.local.b32 [own+4], d; ld.param.b64 w, [out];",
    ],
    [
      "of generic addresses, in each window",
      "mov.u64 v, tile; cvta.shared.u64 v, v; selp.b64 w, v, x, p; ld.b32 d, [w]; mov.u64 v, own; cvta.local.u64 v, v; selp.b64 w, v, x, p; st.b32 [w], d;",
    ],
    [
      "of atomic operations",
      "atom.global.add.u32 d, [y], i; red.shared.max.u32 [tile+8], c; @p atom.global.xor.b64 v, [x], w;",
    ],
    ["of fences", "st.global.b32 [x], i; fence.acq_rel.gpu; ld.volatile.global.b32 d, [x];"],
    ["of lanes that go apart", "@p bra there; ld.global.b32 d, [x]; bra on; there: st.global.b32 [x], i; on:"],
    ["of barriers between", "st.global.b32 [x], c; bar.sync 0; ld.global.b32 e, [x]; bar.sync 0;"],
  ])("%s", (_, body) => compare(body));

  test("and executes what lies between accesses", () => {
    const step = vi.spyOn(Fallback.prototype, "step");
    compare("add.u32 d, i, c; st.global.b32 [x], d; setp.gt.u32 q, d, 5; selp.u32 e, d, i, q; st.global.b32 [x+4], e;");
    expect(step).not.toHaveBeenCalled();
    step.mockRestore();
  });

  test("of lanes that meet", () => {
    compare("ld.global.b32 d, [x]; shfl.sync.bfly.b32 d, d, 1, 31, -1; bar.warp.sync -1; st.global.b32 [x], d;");
    expect(met).toHaveBeenCalled();
  });

  test("of a product of matrices, when the warp stands behind it", () => {
    met.mockClear();
    compare("st.global.b32 [x], i; mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {d, e}, {i}, {c}, {d, e};");
    compare(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {f, g, k, l}, {i, c}, {c}, {f, g, k, l}; st.global.b32 [x], i;",
    );
    expect(met).toHaveBeenCalled();
  });

  test("with the carry flags that each lane has then", () => {
    const looks: string[][] = [];
    compare(
      "add.cc.u32 d, i, -24; st.global.b32 [x], d; addc.cc.u32 d, i, c; ld.global.b32 e, [x]; st.global.b32 [x], e;",
      (session) => {
        const own: string[] = [];
        looks.push(own);
        const lanes = Array.from({ length: 32 }, (_, lane) => lane);
        return {
          access: ({ pc, block, warp }) => {
            own.push(`${pc} ${warp} ${lanes.map((lane) => session.carry({ block, warp, lane })).join("")}`);
          },
        };
      },
    );
    const [js = [], wasm] = looks;
    // 24 and what is above it carry when 2^32 - 24 is added.
    expect(js.some((look) => look.endsWith("0".repeat(24) + "1".repeat(8)))).toBe(true);
    expect(wasm).toEqual(js);
  });

  test("with registers and memory as they are behind the instruction", () => {
    const looks: string[][] = [];
    compare(
      "ld.global.b32 d, [x]; add.u32 d, d, i; st.global.b32 [x], d; mov.b32 d, 1; ld.global.b64 v, [y+8];",
      (session, out) => {
        const own: string[] = [];
        looks.push(own);
        return {
          access: ({ block, warp }) => {
            const registers = session.registers({ block, warp, lane: 3 });
            own.push(`${out.read().slice(16, 160)} ${registers.map(({ name, bits }) => `${name} ${bits}`)}`);
          },
        };
      },
    );
    const [js = [], wasm] = looks;
    expect(js.length).toBeGreaterThan(20);
    expect(wasm).toEqual(js);
  });
});

test("what an observer launches while a module runs does not disturb it", () => {
  compare("ld.global.b32 d, [x]; add.u32 d, d, 3; st.global.b32 [x], d;", (_, out) => {
    const inner = new Device();
    let left = 3;
    return {
      store: () => {
        if (left-- <= 0) return;
        const kernel = must(must(inner.module(program("st.global.b32 [x], c;"))).kernel("k"));
        must(kernel.launch({ block: 64, args: [inner.buffer(new Uint8Array(16 * 65))], executor: compiled }));
        expect(out.address).toBeDefined();
      },
    };
  });
});

test("an observer that fails ends the launch where it is", () => {
  const ends = [javascript, compiled].map((executor) => {
    let left = 300;
    try {
      heard("ld.global.b32 d, [x]; add.u32 d, d, 3; st.global.b32 [x], d;", executor, true, (session) => ({
        store: ({ lane }) => {
          if (left-- === 0) throw new Error(`${session.steps} ${lane}`);
        },
      }));
      return undefined;
    } catch (thrown) {
      return String(thrown);
    }
  });
  expect(ends[0]).toContain("Error");
  expect(ends[1]).toBe(ends[0]);
});
