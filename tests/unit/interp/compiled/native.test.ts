import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { native, tiered } from "../../../../src/interp/compiled/executor.ts";
import { nativeFailure } from "../../../../src/interp/compiled/module/made-code.ts";
import { type NativeCompiler, useNativeCompiler } from "../../../../src/interp/compiled/module/native-code.ts";
import { javascript } from "../../../../src/interp/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";
import { systemCompiler } from "../../../../src/system/native-compiler.ts";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-native-test-"));
const system = systemCompiler({ ...process.env, HOME: folder, XDG_CACHE_HOME: folder });
afterEach(() => {
  useNativeCompiler(() => undefined);
  nativeFailure();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Each thread reads and stores all kinds of cells, in a row and apart, full and partial warps, in both widths of registers. */
const text = (rounds: number): string => `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 data, .param .u32 from)
{
  .reg .b32 t, i, n, a, b, c, d; .reg .b64 x, y, at, far; .reg .b16 h; .reg .f64 f; .reg .f32 g; .reg .pred p, o;
  .shared .b32 S[64];
  ld.param.u64 at, [data]; ld.param.u32 n, [from];
  mov.u32 t, %tid.x; mov.u32 i, 0;
  mad.wide.u32 x, t, 2, at; st.u16 [x+64], t; mad.wide.u32 x, t, 1, at; st.u8 [x+1024], t;
  mad.wide.u32 at, t, 64, at;
again:
  ld.v4.u32 {a, b, c, d}, [at];
  mad.lo.u32 a, a, b, c; div.s32 b, d, 7; rem.u32 c, a, 1000;
  st.v4.u32 [at], {d, a, b, c};
  ld.v2.u64 {x, y}, [at+16];
  mul.hi.u64 y, x, y; add.u64 x, x, y; xor.b64 y, y, x;
  st.v2.u64 [at+16], {y, x};
  ld.u16 h, [at+32]; cvt.rn.f32.u16 g, h; fma.rn.f32 g, g, 0f3f800001, 0f3f000000;
  cvt.rn.f64.u32 f, a; sqrt.rn.f64 f, f; cvt.rzi.s32.f64 d, f;
  st.f32 [at+36], g; st.u8 [at+40], a;
  setp.gt.u32 p, c, 500;
  @p atom.global.add.u32 b, [at+44], d;
  @p bra even;
  shl.b32 c, t, 2; and.b32 c, c, 255; mov.u32 d, S; add.u32 d, d, c;
  st.shared.u32 [d], a; ld.shared.u32 b, [d];
even:
  st.u32 [at+48], b;
  add.u32 i, i, 1;
  setp.lt.u32 o, i, ${rounds};
  @o bra again;
  bar.sync 0;
  setp.ge.u32 p, t, n;
  @p st.u32 [at+52], i;
  ret;
}`;

/** Half of the instructions after which a program has run for long. */
const counting = `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 to)
{
  .reg .b32 i; .reg .b64 at; .reg .pred p;
  ld.param.u64 at, [to]; mov.u32 i, 0;
again:
  add.u32 i, i, 1;
  setp.lt.u32 p, i, 13000000;
  @p bra again;
  st.u32 [at], i;
  ret;
}`;

/** What a launch leaves behind, by an executor. */
function left(executor: Executor, options: LaunchOptions = {}, rounds = 4) {
  const device = new Device();
  const kernel = must(must(device.module({ name: "k.ptx", text: text(rounds) })).kernel("k"));
  const words = Uint32Array.from({ length: 77 * 16 }, (_, at) => Math.imul(at + 1, 0x9e37_79b1));
  const data = device.buffer(words);
  const { stop, steps, findings } = must(kernel.launch({ block: 77, args: [data, 50], executor, ...options }))!;
  return { stop: stop.reason, steps, findings: findings.map(({ message }) => message), bytes: data.read() };
}

/** The system's compiler, with what it was asked for. */
function watched(): { readonly compiler: NativeCompiler; readonly asked: string[] } {
  const asked: string[] = [];
  const compiler: NativeCompiler = {
    compile(module) {
      asked.push("compile");
      return system!.compile(module);
    },
    compileBeside(module) {
      asked.push("beside");
      return system!.compile(module);
    },
    isThere: (module) => system!.isThere(module),
    instantiate(...given) {
      asked.push("instantiate");
      return system!.instantiate(...given);
    },
  };
  return { compiler, asked };
}

describe.runIf(system !== undefined)("modules that a C compiler compiles", () => {
  it("do what JavaScript does, in whole and partial warps", () => {
    const { compiler, asked } = watched();
    useNativeCompiler(() => compiler);
    expect(left(native)).toEqual(left(javascript));
    expect(asked).toEqual(["compile", "instantiate"]);
  });

  it("report a fault as JavaScript does", () => {
    useNativeCompiler(() => system);
    const options = { block: 78 };
    expect(left(native, options)).toEqual(left(javascript, options));
    expect(left(native, options).stop).toBe("trap");
  });

  it("are made of programs that run for long, beside their launches, and take over from the next launch on", () => {
    const { compiler, asked } = watched();
    useNativeCompiler(() => compiler, "long");
    const device = new Device();
    const kernel = must(must(device.module({ name: "k.ptx", text: counting })).kernel("k"));
    const count = device.buffer(4);
    const options = { block: 32, args: [count], executor: tiered, readableRegisters: false, maxSteps: 1e9 };
    const launch = () => must(kernel.launch(options))!.steps;
    const steps = launch();
    expect(steps).toBeGreaterThan(2 ** 25);
    expect(asked).toEqual([]);
    launch();
    expect([launch(), asked]).toEqual([steps, ["beside", "instantiate"]]);
    expect([launch(), asked]).toEqual([steps, ["beside", "instantiate"]]);
    expect(new Uint32Array(count.read().buffer)[0]).toBe(13_000_000);
  });
});

it.runIf(system !== undefined)("a library that cannot be loaded is a compiler that failed", () => {
  const compiler = join(folder, "cc");
  writeFileSync(compiler, '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho no library > "$2"\n', { mode: 0o755 });
  useNativeCompiler(() => systemCompiler({ CC: compiler, HOME: folder, XDG_CACHE_HOME: folder }));
  expect(left(native, {}, 7)).toEqual(left(javascript, {}, 7));
  expect(nativeFailure()).toContain(compiler);
});

describe("where no C compiler helps", () => {
  it("programs that run for long go on as they are, when nothing can be made beside them", () => {
    let asked = 0;
    const failing = (): never => {
      asked++;
      throw new Error("read-only");
    };
    useNativeCompiler(
      () => ({ compile: failing, compileBeside: failing, isThere: () => false, instantiate: failing }),
      "long",
    );
    const device = new Device();
    const kernel = must(
      must(device.module({ name: "k.ptx", text: counting.replace("add.u32 i, i, 1", "add.s32 i, i, 1") })).kernel("k"),
    );
    const options = { block: 32, args: [device.buffer(4)], executor: tiered, readableRegisters: false, maxSteps: 1e9 };
    const steps = [1, 2, 3, 4].map(() => must(kernel.launch(options))!.steps);
    expect([new Set(steps).size, asked]).toEqual([1, 1]);
  });

  it("the engine's module does the same", () => {
    expect(left(native, {}, 6)).toEqual(left(javascript, {}, 6));
  });

  it("says why the compiler failed, once", () => {
    useNativeCompiler(() => ({
      compile: () => {
        throw new Error("cc: no space left");
      },
      compileBeside: () => ({ path: "/nowhere", imports: [], exports: [], globals: new Map() }),
      isThere: () => false,
      instantiate: () => ({}),
    }));
    expect(left(native, {}, 5)).toEqual(left(javascript, {}, 5));
    expect([nativeFailure(), nativeFailure()]).toEqual(["cc: no space left", undefined]);
  });
});
