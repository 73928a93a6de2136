import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";

/** A kernel whose threads have a place each in `out`, by block and thread; `i` is their number, `to` the address. */
const kernel = (body: string, shared = 256): string => `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 out)
{
  .reg .b32 x, y, n, t, i, a, b, c, m, s; .reg .b64 to, all, far; .reg .pred p, o;
  .shared .b32 S[${shared}];
  ld.param.u64 all, [out];
  mov.u32 x, %ctaid.x; mov.u32 y, %ctaid.y; mov.u32 n, %nctaid.x; mov.u32 t, %tid.x;
  mov.u32 i, %ctaid.z; mov.u32 a, %nctaid.y;
  mad.lo.u32 y, i, a, y;
  mad.lo.u32 i, y, n, x;
  mov.u32 n, %ntid.x;
  mad.lo.u32 i, i, n, t;
  mul.wide.u32 far, i, 8;
  add.u64 to, all, far;
  shl.b32 m, t, 2;
  mov.u32 s, S;
  add.u32 m, m, s;
${body}
}`;

const bodies: Readonly<Record<string, string>> = {
  "say which block they are of": `
    mov.u32 b, %ctaid.y; mov.u32 c, %ctaid.z;
    mad.lo.u32 b, c, 1000, b;
    st.global.v2.u32 [to], {x, b};
    ret;`,
  "find shared memory as nobody has written it": `
    ld.shared.u32 a, [m];
    add.u32 b, x, 7;
    st.shared.u32 [m], b;
    bar.sync 0;
    ld.shared.u32 b, [S];
    st.global.v2.u32 [to], {a, b};
    ret;`,
  "store to shared memory beyond what they have, in a later block": `
    st.global.u32 [to], x;
    mad.lo.u32 a, x, 180, m;
    st.shared.u32 [a], t;
    ret;`,
  "store outside of memory in a later block": `
    setp.eq.u32 p, x, 3;
    setp.eq.and.u32 p, t, 33, p;
    @p mov.u64 to, 16;
    st.global.u32 [to], x;
    bar.sync 0;
    ret;`,
  "spin for longer than a turn, and tell in which order they do": `
    mov.u32 c, 0;
    mov.u32 b, 0;
    shr.u32 a, t, 5;
    mad.lo.u32 s, a, 7, 50;
  again:
    add.u32 c, c, 1;
    rem.u32 a, c, s;
    setp.eq.u32 p, a, 0;
    @p atom.global.add.u32 b, [all], 1;
    @p st.global.u32 [to+4], b;
    setp.lt.u32 o, c, 400;
    @o bra again;
    ret;`,
  "tell in which order they come to places between barriers": `
    mov.u32 c, 0;
    mov.u32 b, 0;
  again:
    atom.global.add.u32 a, [all], 1;
    mad.lo.u32 b, b, 31, a;
    bar.sync 0;
    add.u32 c, c, 1;
    setp.lt.u32 o, c, 5;
    @o bra again;
    setp.lt.u32 p, t, 32;
    @p atom.global.add.u32 a, [all], 3;
    @p mad.lo.u32 b, b, 31, a;
    @p bar.arrive 2, 128;
    @!p bar.sync 2, 128;
    atom.global.add.u32 a, [all], 1;
    mad.lo.u32 b, b, 31, a;
    bar.sync 1;
    st.global.u32 [to+4], b;
    ret;`,
  "store outside of memory while others wait at the second barrier": `
    bar.sync 0;
    setp.eq.u32 p, x, 2;
    setp.eq.and.u32 p, t, 40, p;
    @p mov.u64 to, 16;
    st.global.u32 [to], x;
    bar.sync 0;
    ret;`,
  "come to two barriers": `
    bar.sync 0;
    setp.lt.u32 p, t, 32;
    @p bra one;
    bar.sync 1;
    st.global.u32 [to], x;
    ret;
  one:
    bar.sync 0;
    ret;`,
  "leave one by one, and some of them not before a barrier": `
    setp.gt.u32 p, t, 50;
    @p ret;
    bar.sync 0;
    st.global.u32 [to], x;
    setp.lt.u32 p, t, x;
    @p ret;
    st.global.u32 [to+4], t;
    ret;`,
  "arrive at a barrier where nobody waits": `
    mad.lo.u32 a, x, 32, 256;
    bar.arrive 1, a;
    st.global.u32 [to], x;
    ret;`,
  "ask for what JavaScript has to do": `
    mov.u32 a, %clock;
    st.global.u32 [to], a;
    bar.red.popc.u32 b, 0, 1;
    st.global.u32 [to+4], b;
    ret;`,
  "go on at another place in each block": `
    and.b32 a, x, 1;
    setp.eq.u32 p, a, 0;
    @p bra even;
    st.global.u32 [to], 1;
    bar.sync 0;
    ret;
  even:
    setp.lt.u32 p, t, 9;
    @p bra few;
    st.global.u32 [to], 2;
  few:
    bar.sync 0;
    ret;`,
  "wait for a block that has not begun": `
    setp.ne.u32 p, x, 0;
    setp.ne.or.u32 p, t, 0, p;
    @p bra on;
  wait:
    ld.volatile.global.u32 a, [all+12];
    setp.eq.u32 o, a, 0;
    @o bra wait;
  on:
    setp.ne.u32 p, x, 4;
    @!p st.volatile.global.u32 [all+12], 1;
    st.global.u32 [to+4], 1;
    ret;`,
};

function run(executor: Executor, text: string, launch: LaunchOptions, budget?: number) {
  const device = new Device();
  const out = device.buffer(new Uint32Array(64 * 128));
  const code = must(must(device.module({ name: "k", text })).kernel("k"));
  const session = must(code.session({ ...launch, args: [out], executor, readableRegisters: false }))!;
  const places: unknown[] = [];
  for (;;) {
    const stop = session.run(budget === undefined ? {} : { budget });
    places.push(stop, session.steps, session.state!.scheduler.next);
    if (stop.reason !== "budget") break;
  }
  for (const { warps } of session.state!.scheduler.slots)
    for (const { pc, live, active, parked } of warps)
      places.push([live, active, parked.map((group) => [group.pc, group.mask]), parked.length > 0 || live === 0 || pc]);
  session.close();
  return { places, findings: session.findings, bytes: [...out.read()] };
}

describe("blocks that begin one behind the other find the same by either executor, where threads", () => {
  it.each(Object.entries(bodies))("%s", (_, body) => {
    for (const launch of [
      { grid: 12, block: 96 },
      { grid: [5, 3], block: 64 },
      { grid: [2, 2, 3], block: 41 },
      { grid: [1, 9], block: 41 },
      { grid: 9, block: 6 },
      { grid: 7, block: 64, maxSteps: 150 },
    ] as const)
      for (const budget of launch.block === 64 ? [undefined, 1, 100] : [undefined]) {
        const text = kernel(body);
        if (budget === 1 && body.includes("again:")) continue;
        expect(run(compiled, text, launch, budget)).toEqual(run(javascript, text, launch, budget));
      }
  });

  it("share more memory than is cleared for each of them", () => {
    const text = kernel(bodies["find shared memory as nobody has written it"]!, 5000);
    const launch = { grid: 6, block: 64 };
    expect(run(compiled, text, launch)).toEqual(run(javascript, text, launch));
  });
});

it("JavaScript hears of a block only where it has something to do", () => {
  const told: string[] = [];
  const device = new Device();
  const out = device.buffer(new Uint32Array(2 * 64 * 100));
  const code = must(
    must(device.module({ name: "k", text: kernel(bodies["say which block they are of"]!) })).kernel("k"),
  );
  const counting: Executor = {
    link(context, observed) {
      const linked = compiled.link(context, observed);
      return {
        run: (...given) => {
          told.push("run");
          return linked.run(...given);
        },
        turns: (turns, ...rest) => {
          told.push("turns");
          return linked.turns!(turns, ...rest);
        },
      };
    },
  };
  must(code.launch({ grid: 100, block: 64, args: [out], executor: counting, readableRegisters: false }));
  expect(told.length).toBeLessThan(5);
  const words = new Uint32Array(out.read().slice().buffer);
  for (let i = 0; i < 6400; i++) expect([words[2 * i], words[2 * i + 1]]).toEqual([Math.floor(i / 64), 0]);
});
