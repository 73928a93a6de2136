import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/index.ts";
import type { Observer } from "../../../src/interp/contract/observer.ts";

const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b64 %rd<4>; .reg .b32 %r<6>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 8;
  add.u64 %rd1, %rd1, %rd2;
  st.global.v2.u32 [%rd1], {%r1, 7};
  bar.sync 0;
  setp.lt.u32 %p, %r1, 3;
  @%p ld.global.u64 %rd1, [%rd1];
  ret;
}
`;

function observed(observer: (steps: () => number) => Observer) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(64 * 8);
  const session = must(kernel.session({ block: 64, args: [out] }))!;
  session.observe(observer(() => session.steps));
  const stop = session.run();
  session.close();
  return { stop, steps: session.steps, address: out.address };
}

describe("an observer", () => {
  it("is told what all lanes of an instruction did at once, where it wants that", () => {
    const heard: unknown[] = [];
    const { address } = observed(() => ({
      access: ({ how, pc, block, warp, lanes, bytes, addresses, value }) => {
        if (how === "load" && pc === 0) return;
        const words = [addresses[4]!, addresses[5]!];
        heard.push([how, pc, block, warp, lanes, bytes, BigInt(words[0]!) | (BigInt(words[1]!) << 32n)]);
        expect(typeof value).toBe("function");
      },
      load: () => {
        throw new Error("it was told once already");
      },
    }));
    const base = (warp: number): bigint => address + BigInt(8 * (32 * warp + 2));
    expect(heard).toEqual([
      ["store", 4, 0, 0, 0xffff_ffff, 8, base(0)],
      ["store", 4, 0, 1, 0xffff_ffff, 8, base(1)],
      ["load", 7, 0, 0, 7, 8, base(0)],
    ]);
  });

  it("can ask what a lane stores", () => {
    const stored: unknown[] = [];
    observed(() => ({
      access: (access) => {
        if (access.how === "store" && access.warp === 1) stored.push(access.value(3));
      },
    }));
    expect(stored).toEqual([(7n << 32n) | 35n]);
  });

  it("that takes lane by lane hears the same whether instructions run one by one or not", () => {
    const told = (more: Observer) => {
      const heard: unknown[] = [];
      const { steps } = observed((now) => ({
        load: (at, ...rest) => heard.push(["load", at, ...rest.slice(0, 6), now()]),
        store: (at, ...rest) => heard.push(["store", at, ...rest.slice(0, 7), now()]),
        barrier: (block, id) => heard.push(["barrier", block, id, now()]),
        ...more,
      }));
      return [...heard, steps];
    };
    const all = told({});
    expect(all).toEqual(told({ instruction: () => {} }));
    expect(all).toHaveLength(64 + 64 + 1 + 3 + 1);
  });

  it("that asks for a breakpoint while the launch runs gets it", () => {
    const device = new Device();
    const session = must(
      must(must(device.module(text)).kernel("k")).session({ block: 64, args: [device.buffer(512)] }),
    )!;
    let asked = false;
    session.observe({
      barrier: () => {
        if (!asked) session.breakAt(6);
        asked = true;
      },
    });
    expect(session.run()).toMatchObject({ reason: "breakpoint", pc: 6 });
    session.close();
  });
});
