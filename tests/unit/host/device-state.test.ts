import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/host/index.ts";

const text = `.version 8.0
.target sm_80
.address_size 64
.global .u32 count = 3;
.visible .entry k(.param .u64 at) {
  .reg .b32 %r; .reg .b64 %d;
  ld.param.u64 %d, [at]; ld.global.u32 %r, [count]; st.global.u32 [%d], %r; ld.global.u32 %r, [%d+4]; ret;
}
`;

describe("a device's state", () => {
  it("is put into another one: contents, what nobody wrote, variables where they were", () => {
    const one = new Device();
    one.buffer(5000, { name: "first" });
    const module = must(one.module(text));
    const gone = one.buffer(16, { name: "gone" });
    const data = one.buffer(8, { name: "data" });
    gone.free();
    module.variable("count")?.write(Uint32Array.of(9));
    const address = module.variable("count")?.address ?? 0n;

    const two = new Device();
    const again = must(two.module(text));
    expect(again.variable("count")?.address).not.toBe(address);
    two.restore(one.state(), again, new Map([["count", address]]));
    expect(again.variable("count")?.address).toBe(address);
    expect(two.state()).toEqual(one.state());
    const ended = must(must(again.kernel("k")).launch({ args: [{ bits: data.address }] }));
    expect([ended.stop.reason, ended.findings.map(({ code }) => code)]).toEqual(["exit", ["PTX4001"]]);
    const late = must(must(again.kernel("k")).launch({ args: [{ bits: gone.address }] }));
    expect(late.stop).toMatchObject({ diagnostic: { code: "PTX3005" } });
    const offset = Number(BigInt.asUintN(32, data.address));
    const changed = two.state().pages.find(({ at }) => at === offset - (offset % 4096));
    expect(changed?.data[offset % 4096]).toBe(9);
  });

  it("refuses allocations that overlap, or have no room", () => {
    const device = new Device({ maxMemory: 2 ** 20 });
    const allocation = {
      name: "a",
      bytes: 100,
      space: "global",
      initialised: false,
      heap: false,
      freed: false,
    } as const;
    const at = (...addresses: readonly number[]) => ({
      allocations: addresses.map((address) => ({ ...allocation, address })),
      pages: [],
    });
    expect(() => device.restore(at(8192, 8200))).toThrow(RangeError);
    expect(() => device.restore(at(2 ** 20))).toThrow(RangeError);
    expect(() => device.restore(at(0))).toThrow(RangeError);
    device.restore(at(8192, 16384));
    expect(device.state().allocations).toHaveLength(2);
  });
});
