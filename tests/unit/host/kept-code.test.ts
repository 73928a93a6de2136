import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Device, type DeviceOptions, must, type Store, type Text } from "../../../src/index.ts";
import { compiled, tiered } from "../../../src/interp/compiled/executor.ts";
import { Source } from "../../../src/source/source.ts";

let last = 100;
/** A text that nobody has loaded yet. */
const fresh = (): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n) {
  .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<3>; .reg .pred %p<1>;
  ld.param.u64 %rd0, [out];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, 0;
  mov.f32 %f1, 0f3f800001;
again:
  mad.lo.u32 %r1, %r1, 5, ${++last};
  fma.rn.f32 %f1, %f1, %f1, 0fbf800002;
  sub.u32 %r0, %r0, 1;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra again;
  st.global.u32 [%rd0], %r1;
  st.global.f32 [%rd0+4], %f1;
  ret;
}
`;

/** Sizes of the modules that the engine was given. */
let sizes: number[];
const { WebAssembly: engine } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array<ArrayBuffer>) => object };
};
const { Module } = engine;
const put = (value: unknown) => Object.defineProperty(engine, "Module", { value, configurable: true, writable: true });
beforeEach(() => {
  sizes = [];
  const construct = (target: typeof Module, [bytes]: [Uint8Array<ArrayBuffer>]) => {
    sizes.push(bytes.length);
    return new target(bytes);
  };
  put(new Proxy(Module, { construct }));
});
afterEach(() => put(Module));

/** Programs among them; what is asked of the engine once is smaller. */
const modules = (): number => sizes.filter((size) => size > 1000).length;

interface Options extends DeviceOptions {
  /** Whether a module is used from the first step on; otherwise it is once the launch is long. */
  readonly now?: boolean;
  readonly turns?: number;
  readonly readableRegisters?: boolean;
}

/** Launches the kernel; gives what it has stored. */
function run(text: Text, { now, turns = 4, readableRegisters = false, ...options }: Options = {}): Uint8Array {
  const device = new Device(options);
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(8);
  const launch = { block: 64, args: [out, turns], readableRegisters, executor: now ? compiled : tiered };
  expect(must(kernel.launch(launch)).stop).toEqual({ reason: "exit" });
  return out.read();
}

describe("what was compiled in this process", () => {
  it("serves all launches, devices and names of one text", () => {
    const text = fresh();
    const all = [run(text, { turns: 9000 }), run(text, { turns: 9000 })];
    for (const name of ["a.ptx", "b.ptx"]) all.push(run({ name, text }, { turns: 9000 }));
    expect(new Set(all.map(String)).size).toBe(1);
    expect(modules()).toBe(1);
  });

  it("is not taken for another text, memory of another size, or registers that somebody may read", () => {
    const text = fresh();
    const first = run(text, { now: true });
    expect(run(fresh(), { now: true })).not.toEqual(first);
    run(text, { now: true, maxMemory: 2 ** 22 });
    run(text, { now: true, readableRegisters: true });
    expect(modules()).toBe(4);
  });
});

/** A store in memory, whose values are copies as those of a file are. */
class Shelf implements Store {
  readonly values: Map<string, object> = new Map();
  asked = 0;
  get({ text, words }: Parameters<Store["get"]>[0]): unknown {
    if (words.includes("code")) this.asked++;
    return structuredClone(this.values.get(JSON.stringify([words, text])));
  }
  set({ text, words }: Parameters<Store["get"]>[0], value: object): void {
    this.values.set(JSON.stringify([words, text]), structuredClone(value));
  }
  codes(): readonly [string, object][] {
    return [...this.values].filter(([key]) => key.includes('"code"'));
  }
}

describe("what was compiled and kept", () => {
  it("is used by the next process from the first step on, with the same result", () => {
    const [text, store] = [fresh(), new Shelf()];
    // A Source of one's own is a program of one's own, as in another process.
    const again = (options: Options = {}) => run(new Source("k.ptx", text), { store, ...options });
    const short = again();
    expect([modules(), store.codes().length]).toEqual([0, 0]);
    const long = again({ turns: 9000 });
    expect([modules(), store.codes().length]).toEqual([1, 1]);
    expect(again()).toEqual(short);
    expect([modules(), store.codes().length]).toEqual([2, 1]);
    expect(again({ turns: 9000 })).toEqual(long);
    expect(again({ turns: 9000, now: true })).toEqual(long);
  });

  it("is made for launches that are too short by themselves", () => {
    const source = new Source("k.ptx", fresh());
    const first = run(source, { turns: 500 });
    expect(modules()).toBe(0);
    for (let more = 0; more < 10; more++) expect(run(source, { turns: 500 })).toEqual(first);
    expect(modules()).toBe(1);
  });

  it("is what runs", () => {
    const [one, other, store] = [fresh(), fresh(), new Shelf()];
    const results = [one, other].map((text) => run(new Source("k.ptx", text), { store, now: true }));
    const [[key], [, code]] = store.codes() as [[string, object], [string, object]];
    store.values.set(key, code);
    expect(run(new Source("k.ptx", one), { store, now: true })).toEqual(results[1]);
    expect(results[0]).not.toEqual(results[1]);
  });

  it("is kept apart by the text, the memory's size and whether somebody may read registers", () => {
    const [text, store] = [fresh(), new Shelf()];
    for (const options of [{}, { maxMemory: 2 ** 22 }, { readableRegisters: true }])
      run(new Source("k.ptx", text), { store, now: true, ...options });
    run(new Source("k.ptx", fresh()), { store, now: true });
    expect(store.codes().length).toBe(4);
    // Not every engine fuses a multiplication and an addition.
    for (const [key] of store.codes()) expect(key).toMatch(/"(?:un)?fused"/);
  });

  it("is looked for once in a process", () => {
    const [source, store] = [new Source("k.ptx", fresh()), new Shelf()];
    for (let at = 0; at < 5; at++) run(source, { store });
    expect(store.asked).toBe(1);
  });

  const wrong: Readonly<Record<string, object>> = {
    "is nothing": {},
    "has no bytes": { entries: new Int32Array(0) },
    "is cut off": { bytes: new Uint8Array([0, 97, 115, 109, 1, 0, 0]) },
    "is another program's": { entries: new Int32Array(3) },
  };
  it.each(Object.keys(wrong))("is made again where it %s", (which) => {
    const [text, store] = [fresh(), new Shelf()];
    const first = run(new Source("k.ptx", text), { store, now: true });
    const [[key, value] = ["", {}]] = store.codes();
    store.values.set(key, which.startsWith("is nothing") ? {} : { ...value, ...wrong[which] });
    expect(run(new Source("k.ptx", text), { store, now: true })).toEqual(first);
    expect(store.codes()).toEqual([[key, value]]);
  });
});
