import { describe, expect, it } from "vitest";
import { Device, type Launch, type LaunchOptions, must, type Supplier } from "../../../src/host/index.ts";
import { executors } from "../../../src/interp/create-session.ts";

/** A process whose memory is a few mapped ranges, and who notes what is asked of it. */
class Process implements Supplier {
  readonly ranges: { readonly start: bigint; readonly bytes: Uint8Array }[] = [];
  readonly reads: string[] = [];
  readonly writes: string[] = [];

  /** Pages from `start` on, all zeros. */
  map(start: bigint, pages: number): DataView {
    const bytes = new Uint8Array(pages * 4096);
    this.ranges.push({ start, bytes });
    return new DataView(bytes.buffer);
  }

  read(address: bigint, into: Uint8Array): number {
    this.reads.push(`0x${address.toString(16)}`);
    const range = this.#at(address);
    if (range === undefined) return 0;
    const from = Number(address - range.start);
    const part = range.bytes.subarray(from, from + into.length);
    into.set(part);
    return part.length;
  }

  write(address: bigint, bytes: Uint8Array): void {
    this.writes.push(`0x${address.toString(16)}: ${bytes.length}`);
    const range = this.#at(address)!;
    range.bytes.set(bytes, Number(address - range.start));
  }

  #at(address: bigint) {
    return this.ranges.find(({ start, bytes }) => start <= address && address < start + BigInt(bytes.length));
  }
}

const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const kernel = (device: Device, params: string, body: string, outside = "") =>
  must(must(device.module(`${head}${outside}.entry k(${params}) {\n${body}\nret;\n}`)).kernel("k"));

function launch(supplier: Process, params: string, body: string, options: LaunchOptions): Launch {
  return must(kernel(new Device({ supplier }), params, body).launch(options));
}

/** y[i] = x[i] + 1, of u32. */
const increment = `
.reg .b64 %x, %y, %o; .reg .b32 %i, %v;
ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
mov.u32 %i, %ctaid.x; mov.u32 %v, %ntid.x; mul.lo.u32 %i, %i, %v; mov.u32 %v, %tid.x; add.u32 %i, %i, %v;
mul.wide.u32 %o, %i, 4; add.u64 %x, %x, %o; add.u64 %y, %y, %o;
ld.global.u32 %v, [%x]; add.u32 %v, %v, 1; st.global.u32 [%y], %v;`;
const two = ".param .u64 x, .param .u64 y";

const said = ({ stop }: Launch): string =>
  stop.reason === "trap" ? `${stop.diagnostic.code} ${stop.diagnostic.message.split(", in thread")[0]}` : stop.reason;

/** What a test that runs by each executor has left. */
const results: unknown[] = [];

describe("memory of a supplier", () => {
  it.each([
    ["a heap", 0x5555_5570_0000n],
    ["a mapping", 0x7fff_f7d0_0000n],
    ["one whose high words are those of windows", 0x4f01_2340_0000n],
    ["one in the high half of a word", 0x7eff_ffff_0000n],
    ["one across 4 GiB", 0x7f44_ffff_f000n],
    ["the device's own high word", 0x4f00_6000_0000n],
    ["where the device has memory for its launches", 0x4f00_0000_1000n],
    ["low addresses", 0x40_0000n],
  ])("is found at its own addresses: %s", (_, start) => {
    const process = new Process();
    const view = process.map(start, 4);
    for (let at = 0; at < 64; at++) view.setUint32(1000 + 4 * at, 0x7000_0000 + at, true);
    const { stop } = launch(process, two, increment, { block: 64, args: [start + 1000n, start + 4096n + 1000n] });
    expect(stop.reason).toBe("exit");
    expect(Array.from({ length: 65 }, (_, at) => view.getUint32(5096 + 4 * at, true))).toEqual([
      ...Array.from({ length: 64 }, (_, at) => 0x7000_0001 + at),
      0,
    ]);
    expect(process.writes).toEqual([`0x${(start + 5096n).toString(16)}: 256`]);
  });

  it("writes what has been stored and nothing between, and nothing that is as it was", () => {
    const process = new Process();
    const view = process.map(0x10_0000n, 2);
    view.setUint8(8, 7);
    const body = `.reg .b64 %x; ld.param.u64 %x, [x];
      st.global.u8 [%x], 1; st.global.u8 [%x+2], 2; st.global.u8 [%x+8], 7; st.global.u32 [%x+4092], 0x5050505; st.global.u32 [%x+4096], 0x6000000;`;
    launch(process, ".param .u64 x", body, { args: [0x10_0000n] });
    expect(process.writes).toEqual(["0x100000: 1", "0x100002: 1", "0x100ffc: 4", "0x101003: 1"]);
  });

  it("follows pointers that lie in memory, from a heap to a mapping", () => {
    const process = new Process();
    const [heap, mapping] = [0x5555_0000_1000n, 0x7fab_0000_0000n];
    const nodes = process.map(heap, 1);
    const values = process.map(mapping, 1);
    nodes.setBigUint64(16, mapping + 40n, true);
    values.setBigUint64(40, heap + 24n, true);
    nodes.setUint32(24, 42, true);
    const body = `.reg .b64 %x, %p; .reg .b32 %v; ld.param.u64 %x, [x];
      ld.u64 %p, [%x+16]; ld.u64 %p, [%p]; ld.u32 %v, [%p]; add.u32 %v, %v, 1; st.u32 [%x], %v;`;
    launch(process, ".param .u64 x", body, { args: [heap] });
    expect(nodes.getUint32(0, true)).toBe(43);
  });

  it("reads pages when they are touched, more at once where one follows the other, and again in the next launch", () => {
    const process = new Process();
    const view = process.map(0x100_0000n, 1024);
    const device = new Device({ supplier: process });
    const run = kernel(device, two, increment);
    const args = [0x100_0000n, 0x100_0000n + 2n ** 21n];
    const options = { grid: 2048, block: 256, args };
    expect(must(run.launch(options)).stop.reason).toBe("exit");
    expect(process.reads.length).toBeLessThan(60);
    view.setUint32(0, 41, true);
    expect(must(run.launch(options)).stop.reason).toBe("exit");
    expect(view.getUint32(2 ** 21, true)).toBe(42);
    expect(view.getUint32(2 ** 22 - 4, true)).toBe(1);
  });

  it("gives one range in one piece across the pieces that it is managed in", () => {
    const process = new Process();
    const start = 0x7fff_0000_0000n;
    const view = process.map(start, 1024);
    view.setUint32(2 ** 20 - 4, 1, true);
    view.setUint32(2 ** 20, 2, true);
    const body = `.shared .align 16 .b8 s[32]; .reg .b64 %x; .reg .b32 %a, %b, %s; ld.param.u64 %x, [x];
      mov.u32 %s, s; cp.async.ca.shared.global [%s], [%x+1048560], 16; cp.async.cg.shared.global [%s+16], [%x+1048576], 16; cp.async.wait_all;
      ld.shared.u32 %a, [%s+12]; ld.shared.u32 %b, [%s+16]; st.global.v2.u32 [%x], {%a, %b};`;
    expect(said(launch(process, ".param .u64 x", body, { args: [start] }))).toBe("exit");
    expect([view.getUint32(0, true), view.getUint32(4, true)]).toEqual([1, 2]);
  });

  it("lets atomics, vectors, printf and questions about addresses see it", () => {
    const process = new Process();
    const start = 0x4f02_1000_0000n;
    const view = process.map(start, 1);
    new Uint8Array(view.buffer).set(new TextEncoder().encode("%d of us\n\0"), 256);
    const printed: string[] = [];
    const body = `.reg .b64 %x, %f, %r; .reg .b32 %v, %w; .reg .pred %g, %s; .local .align 8 .b8 a[8]; ld.param.u64 %x, [x];
      atom.global.add.u32 %v, [%x], 1; red.add.u32 [%x+4], 2;
      isspacep.global %g, %x; isspacep.shared %s, %x; selp.u32 %v, 1, 0, %g; selp.u32 %w, 1, 0, %s; st.v2.u32 [%x+8], {%v, %w};
      mov.u32 %v, 12; st.local.u32 [a], %v; add.u64 %f, %x, 256; mov.u64 %r, a; cvta.local.u64 %r, %r;
      { .param .b64 p; .param .b64 q; .param .b32 d; st.param.b64 [p], %f; st.param.b64 [q], %r; call (d), vprintf, (p, q); }`;
    const device = new Device({ supplier: process });
    const outside = ".extern .func (.param .b32 d) vprintf (.param .b64 f, .param .b64 a);\n";
    const { stop } = must(
      kernel(device, ".param .u64 x", body, outside).launch({
        block: 32,
        args: [start],
        print: (text) => void printed.push(text),
      }),
    );
    expect(stop.reason).toBe("exit");
    expect([0, 4, 8, 12].map((at) => view.getUint32(at, true))).toEqual([32, 64, 1, 0]);
    expect(printed.join("")).toBe("12 of us\n".repeat(32));
  });

  it("says what is wrong with an address that nothing is mapped at", () => {
    const process = new Process();
    process.map(0x5000_0000n, 1);
    const read = (address: bigint) =>
      said(
        launch(process, ".param .u64 x", ".reg .b64 %x; .reg .b32 %v; ld.param.u64 %x, [x]; ld.global.u32 %v, [%x];", {
          args: [address],
        }),
      );
    expect(read(0x5000_0ffcn)).toBe("exit");
    expect(read(0x5000_1000n)).toBe(
      "PTX3002 ld.global.u32 reads 4 bytes at 0x50001000, where the caller has nothing mapped",
    );
    expect(read(0n)).toBe("PTX3002 ld.global.u32 reads 4 bytes at 0x0, which is a null pointer");
    expect(read(16n)).toBe("PTX3002 ld.global.u32 reads 4 bytes at 0x10, 16 bytes past a null pointer");
    expect(read(0x5000_0002n)).toBe("PTX3001 ld.global.u32 reads 4 bytes at 0x50000002, which is not a multiple of 4");
    expect(read(0xffff_ffff_ffff_fffcn)).toBe(
      "PTX3002 ld.global.u32 reads 4 bytes at 0xfffffffffffffffc, where the caller has nothing mapped",
    );
  });

  it("keeps to what has been announced, once something has", () => {
    const process = new Process();
    process.map(0x5000_0000n, 2);
    const device = new Device({ supplier: process });
    const run = kernel(
      device,
      ".param .u64 x",
      ".reg .b64 %x; .reg .b32 %v; ld.param.u64 %x, [x]; ld.global.u32 %v, [%x];",
    );
    const read = (address: bigint) => said(must(run.launch({ args: [address] })));
    device.announce(0x5000_0100n, 40, "weights");
    expect(read(0x5000_0124n)).toBe("exit");
    expect(read(0x5000_0128n)).toBe(
      "PTX3002 ld.global.u32 reads 4 bytes at 0x50000128, just past the end of weights (40 bytes)",
    );
    expect(read(0x5000_00fcn)).toBe(
      "PTX3002 ld.global.u32 reads 4 bytes at 0x500000fc, 4 bytes before weights (40 bytes)",
    );
    expect(read(0x5000_0102n)).toBe(
      "PTX3001 ld.global.u32 reads 4 bytes at 0x50000102, which is not a multiple of 4: 2 bytes into weights (40 bytes)",
    );
    expect(device.renounce(0x5000_0100n)).toBe(true);
    expect(device.renounce(0x5000_0100n)).toBe(false);
    expect(read(0x5000_1000n)).toBe("exit");
    expect(() => new Device().announce(0n, 4, "x")).toThrow("no supplier");
    expect(() => device.announce(1n, 0, "x")).toThrow("x: 0 bytes");
  });

  it("may keep to that from the start", () => {
    const process = new Process();
    process.map(0x5000_0000n, 1);
    const supplier: Supplier = {
      onlyAnnounced: true,
      read: (address, into) => process.read(address, into),
      write: (address, bytes) => process.write(address, bytes),
    };
    const device = new Device({ supplier });
    const run = kernel(device, ".param .u64 x", ".reg .b64 %x; ld.param.u64 %x, [x]; st.global.u32 [%x], 9;");
    const store = () => said(must(run.launch({ args: [0x5000_0000n] })));
    const own = device.buffer(4);
    expect(said(must(run.launch({ args: [own] })))).toBe("exit");
    expect(own.toBits("u32")).toEqual([9n]);
    const refused =
      "PTX3002 st.global.u32 writes 4 bytes at 0x50000000, which is in no allocation of the device, and no memory that the host shares with it";
    expect(store()).toBe(refused);
    expect(process.reads).toEqual([]);
    device.announce(0x5000_0000n, 4, "shared");
    expect(store()).toBe("exit");
    expect(process.writes).toEqual(["0x50000000: 1"]);
    device.renounce(0x5000_0000n);
    expect(store()).toBe(refused);
  });

  it("has what was stored before a fault", () => {
    const process = new Process();
    const view = process.map(0x5000_0000n, 1);
    const body = ".reg .b64 %x; ld.param.u64 %x, [x]; st.global.u32 [%x], 9; st.global.u32 [%x+4096], 9;";
    expect(said(launch(process, ".param .u64 x", body, { args: [0x5000_0000n] }))).toMatch(
      /^PTX3002 st.global.u32 writes 4 bytes at 0x50001000/,
    );
    expect(view.getUint32(0, true)).toBe(9);
  });

  it("lies beside the device's own memory", () => {
    const process = new Process();
    const view = process.map(0x4f00_0000_0000n, 1);
    view.setUint32(0, 5, true);
    const device = new Device({ supplier: process });
    const body = `.reg .b64 %x, %g; .reg .b32 %v, %w; ld.param.u64 %x, [x]; mov.u64 %g, table;
      ld.global.u32 %v, [%g]; ld.const.u32 %w, [fixed]; add.u32 %v, %v, %w; st.global.u32 [%x+8], %v; st.global.u32 [%g], %v;`;
    const module = must(
      device.module(
        `${head}.global .u32 table = 30;\n.const .u32 fixed = 4;\n.entry k(.param .u64 x) {\n${body}\nret;\n}`,
      ),
    );
    must(must(module.kernel("k")).launch({ args: [0x4f00_0000_0000n] }));
    expect(view.getUint32(8, true)).toBe(34);
    expect(module.variable("table")!.toArray("u32")).toEqual([34]);
  });

  it("is as it was where a session goes back, and written when the session is closed", () => {
    const process = new Process();
    const view = process.map(0x5000_0000n, 2);
    const session = must(
      kernel(new Device({ supplier: process }), two, increment).session({
        block: 32,
        args: [0x5000_0000n, 0x5000_1000n],
      }),
    );
    const before = session.snapshot();
    expect(session.run().reason).toBe("exit");
    session.restore(before);
    view.setUint32(0, 70, true);
    expect(session.run().reason).toBe("exit");
    expect(process.writes).toEqual([]);
    session.close();
    expect(view.getUint32(4096, true)).toBe(71);
    expect(view.getUint32(4100, true)).toBe(1);
  });

  it("has the same bytes at two addresses, and some that may only be read", () => {
    const process = new Process();
    const [first, second, fixed] = [0x5010_0000n, 0x7ff0_0000_0000n, 0x6000_0000n];
    const view = process.map(first, 1);
    process.map(fixed, 1).setUint32(0, 40, true);
    const device = new Device({ supplier: process });
    for (const address of [first, second, fixed]) device.announce(address, 4096, "pages");
    device.mapAnnounced([
      { address: second, bytes: 2 ** 20, same: first, readOnly: false },
      { address: fixed, bytes: 2 ** 20, same: fixed, readOnly: true },
    ]);
    const body = `.reg .b64 %x, %y; .reg .b32 %v; ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
      ld.global.u32 %v, [%y]; st.global.u32 [%x+8], 7; ld.global.u32 %v, [%y+8]; st.global.u32 [%y+4], %v;`;
    const copy = kernel(device, two, body);
    for (const args of [
      [first, second],
      [second, first],
    ]) {
      view.setUint32(8, 1, true);
      expect(must(copy.launch({ args })).stop.reason).toBe("exit");
      expect([view.getUint32(4, true), view.getUint32(8, true)]).toEqual([7, 7]);
    }
    expect(said(must(copy.launch({ args: [first, fixed] })))).toMatch(
      /^PTX3003 st.global.u32 writes 4 bytes at 0x60000004, which is read-only/,
    );
    device.mapAnnounced([]);
    expect(said(must(copy.launch({ args: [first, second] })))).toMatch(/^PTX3002 .* 0x7ff000000000/);
    expect(must(copy.launch({ args: [first, fixed] })).stop.reason).toBe("exit");
  });

  it.each(["js", "wasm"])("is found wherever it lies, and the device's own beside it: %s", (name) => {
    const process = new Process();
    // The zone around the first page that is touched, its neighbours, one far behind it, and those of other high words.
    const places = [0x7e00_8000_0000n, 0x7e00_8000_4000n, 0x7e00_f000_0000n, 0x5555_0000_1000n, 0x7e01_8000_0000n];
    const views = places.map((start) => process.map(start, 2));
    const device = new Device({ supplier: process });
    const mine = device.buffer(Uint32Array.from({ length: 64 }, (_, at) => 1000 * at));
    const body = `.reg .b64 %x, %y, %o; .reg .b32 %i, %v; ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
      mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %x, %x, %o; add.u64 %y, %y, %o;
      ld.global.u32 %v, [%x]; ld.u32 %i, [%y+4]; add.u32 %v, %v, %i; add.u32 %v, %v, 1; st.u32 [%y+8], %v; st.global.u32 [%x], %v;
      red.global.add.u32 [%x], 5;`;
    const run = kernel(device, two, body);
    const executor = executors.get(name)!;
    for (const [round, start] of places.entries()) {
      for (let turn = 0; turn < 2; turn++)
        for (const args of [
          [start + 16n, places[(round + 1) % places.length]! + 4092n],
          [mine, start + 800n],
          [start + 4n, mine],
        ])
          must(run.launch({ block: 32, args, executor }));
    }
    const left = [...views.map(({ buffer }) => new Uint32Array(buffer)), new Uint32Array(mine.read().buffer)];
    results.push(left);
    // By both executors the same.
    expect(left).toEqual(results[0]);
  });

  it.each(["js", "wasm"])("is not reached by addresses of the device: %s", (name) => {
    const process = new Process();
    process.map(0x7e00_8000_0000n, 256);
    const body = `.reg .b64 %x, %y; .reg .b32 %v; ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
      ld.global.u32 %v, [%x]; ld.global.u32 %v, [%x+4]; ld.global.u32 %v, [%y];`;
    const device = new Device({ supplier: process });
    const run = kernel(device, two, body);
    const address = 0x7e00_8000_0000n;
    const session = must(run.session({ block: 4, args: [address, address], executor: executors.get(name)! }))!;
    expect(session.run().reason).toBe("exit");
    const supply = session.state!.context.memory.supply!;
    const wild = 0x4f00_0000_0000n + BigInt(supply.locate(0x7e00, 0x8000_0000));
    session.close();
    expect(said(must(run.launch({ block: 4, args: [address, wild], executor: executors.get(name)! })))).toMatch(
      /^PTX3002 ld.global.u32 reads 4 bytes at 0x4f00/,
    );
  });

  it("takes in a launch what the device's allocations leave, and gives it back", () => {
    const process = new Process();
    const view = process.map(0x7e00_8000_0000n, 2);
    view.setUint32(0, 41, true);
    const device = new Device({ supplier: process, maxMemory: 2047 * 2 ** 20 });
    expect(device.allocate(1536 * 2 ** 20)).toBeDefined();
    const run = kernel(device, two, increment);
    const options = { block: 64, args: [0x7e00_8000_0000n, 0x7e00_8000_1000n] };
    const { stop, session } = must(run.launch(options));
    expect(stop.reason).toBe("exit");
    expect(view.getUint32(4096, true)).toBe(42);
    const page = session.state!.context.memory.supply!.locate(0x7e00, 0x8000_0000);
    const rest = device.allocate(480 * 2 ** 20)!;
    const within = page - Number(BigInt.asUintN(32, rest.address));
    expect(rest.read(within, 8192).every((byte) => byte === 0)).toBe(true);
    expect(said(must(run.launch(options)))).toBe("exit");
    rest.free();
    expect(said(must(run.launch(options)))).toBe("exit");
  });

  it("says so when a launch touches more of it than there is room for", () => {
    const everywhere: Supplier = { read: (_, into) => into.length, write: () => {} };
    const body = `.reg .b64 %x; .reg .b32 %i, %v; .reg .pred %p; ld.param.u64 %x, [x]; mov.u32 %i, 0;
      again: ld.global.u32 %v, [%x]; add.u64 %x, %x, 4194304; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 2000; @%p bra again;`;
    const device = new Device({ supplier: everywhere });
    expect(said(must(kernel(device, ".param .u64 x", body).launch({ args: [0x5000_0000n] })))).toMatch(/^PTX6003/);
  });
});
