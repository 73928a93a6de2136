import { describe, expect, test } from "vitest";
import { Device, type Kernel, type LaunchOptions, must } from "../../../src/index.ts";

/** Runs one thread of a kernel, whose module has `globals`; gives the words that it stores at `out`. */
function run(
  {
    globals = "",
    parameters = "",
    body,
    texmode = "",
  }: { globals?: string; parameters?: string; body: string; texmode?: string },
  args: (device: Device) => readonly (ReturnType<Device["texture"]> | number)[] = () => [],
  prepare: (device: Device, module: ReturnType<typeof load>["module"]) => void = () => {},
) {
  const { device, module } = load(globals, parameters, body, texmode);
  prepare(device, module);
  const out = device.buffer(new Uint8Array(64));
  const kernel: Kernel = must(module.kernel("k"));
  const options: LaunchOptions = { grid: 1, block: 1, args: [out, ...args(device)] };
  const { stop, findings } = must(kernel.launch(options));
  const told = [...("diagnostic" in stop ? [stop.diagnostic] : []), ...findings];
  return { words: out.toBits("u32").map(Number), said: told.map(({ code, message }) => `${code} ${message}`) };
}

function load(globals: string, parameters: string, body: string, texmode: string) {
  const device = new Device();
  const text = `.version 9.0\n.target sm_90${texmode}\n.address_size 64\n${globals}
.visible .entry k(.param .u64 out${parameters}) {
  .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
  ld.param.u64 %rd0, [out];
  ${body}
  ret; }`;
  return { device, module: must(device.module(text)) };
}

const line = (device: Device, values: readonly number[] = [1, 2, 3, 5]) => {
  const array = device.array({ width: values.length, format: "f32", channels: 1, name: "line" });
  array.write(Float32Array.from(values));
  return array;
};
const bits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;
const fetch1 = (texture: string, at: string) =>
  `tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [${texture}, {${at}}]; st.global.f32 [%rd0], %f0;`;

describe("handles", () => {
  const handle = ", .param .u64 h";
  const through = (body: string) => ({ parameters: handle, body: `ld.param.u64 %rd1, [h]; ${body}` });

  test("one that leads nowhere is a fault that names the thread", () => {
    const { said } = run(through(fetch1("%rd1", "1.0")), () => [12]);
    expect(said.join()).toMatch(/^PTX3040 .*no texture has the handle 0xc, in thread \(0,0,0\) of block \(0,0,0\)/);
  });
  test("a surface is no texture, and a texture object that was destroyed is none", () => {
    expect(run(through(fetch1("%rd1", "1.0")), (device) => [device.surface(line(device))]).said[0]).toMatch(
      /line is a surface, not a texture/,
    );
    const gone = (device: Device) => {
      const texture = device.texture(line(device));
      texture.destroy();
      return [texture];
    };
    expect(run(through(fetch1("%rd1", "1.0")), gone).said[0]).toMatch(/no texture has the handle/);
  });
  test("a variable that was bound to a texture is bound to nothing once that is destroyed, until it is bound again", () => {
    const bound = (again: boolean) =>
      run({ globals: ".global .texref t;", body: fetch1("t", "1.0") }, undefined, (device, module) => {
        const texture = device.texture(line(device));
        expect(module.bind("t", texture)).toBe(true);
        texture.destroy();
        if (again) module.bind("t", device.texture(line(device)));
      });
    expect(bound(false).said[0]).toMatch(/^PTX3040 .*nothing is bound to the texture t/);
    expect(bound(true)).toMatchObject({ said: [], words: { 0: bits(2) } });
  });
  test("another geometry is a fault", () => {
    const body = "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {1.0, 1.0}];";
    expect(run(through(body), (device) => [device.texture(line(device))]).said[0]).toMatch(
      /^PTX3041 .*whose geometry is \.1d, as \.2d/,
    );
  });
  test("texels that nobody has written are a finding, those of a freed array a fault", () => {
    const fresh = (device: Device) => [device.texture(device.array({ width: 4, format: "f32", channels: 1 }))];
    expect(run(through(fetch1("%rd1", "1.0")), fresh).said[0]).toMatch(
      /^PTX4001 .*texel \(1\) of an array, which nothing/,
    );
    const freed = (device: Device) => {
      const array = line(device);
      array.free();
      return [device.texture(array)];
    };
    expect(run(through(fetch1("%rd1", "1.0")), freed).said[0]).toMatch(/^PTX3005 .*whose memory the host has freed/);
  });
  test("a surface access outside is a fault with .trap, whatever the direction", () => {
    const at = (x: number, how = "trap") =>
      through(`suld.b.1d.b32.${how} %r0, [%rd1, {${x}}]; st.global.b32 [%rd0], %r0;`);
    const surface = (device: Device) => [device.surface(line(device))];
    expect(run(at(16), surface).said[0]).toMatch(
      /^PTX3042 .*reads 4 bytes at \(16\) of line, which has 4 texels of 4 bytes/,
    );
    expect(run(at(-4), surface).said[0]).toMatch(/^PTX3042/);
    expect(run(at(2), surface).said[0]).toMatch(/^PTX3001 .*not a multiple of 4/);
    expect(run(at(-4, "clamp"), surface).words[0]).toBe(bits(1));
    expect(run(at(99, "clamp"), surface).words[0]).toBe(bits(5));
    expect(run(at(16, "zero"), surface)).toEqual({ words: Array(16).fill(0), said: [] });
  });
  test("sust.p forgets the channels that its vector has not", () => {
    const body = "sust.p.1d.b32.trap [%rd1, {0}], %r1; suld.b.1d.b32.trap %r0, [%rd1, {4}];";
    const pairs = (device: Device) => {
      const array = device.array({ width: 2, format: "f32", channels: 2, name: "pairs" });
      array.write(new Float32Array(4));
      return [device.surface(array)];
    };
    expect(run(through(`mov.b32 %r1, 5; ${body}`), pairs).said[0]).toMatch(/^PTX4001 .*4 bytes at \(4\) of pairs/);
  });
  test("istypep tells them apart, a null is none", () => {
    const asked = (type: string) =>
      through(`istypep.${type} %p0, %rd1; selp.b32 %r0, 1, 0, %p0; st.global.b32 [%rd0], %r0;`);
    const texture = (device: Device) => [device.texture(line(device))];
    expect(run(asked("texref"), texture).words[0]).toBe(1);
    expect(run(asked("surfref"), texture).words[0]).toBe(0);
    expect(run(asked("texref"), () => [0]).words[0]).toBe(0);
  });
});

test.each([1, 2])("a warp looks up %i textures, results over coordinates, where lanes take part", (textures) => {
  const { device, module } = load(
    "",
    ", .param .u64 a, .param .u64 b",
    `ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];
  mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f0, %r1; mov.f32 %f5, 0f42C80000;
  tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f0}];
  and.b32 %r2, %r1, 1; setp.eq.u32 %p0, %r2, 0; selp.b64 %rd3, %rd1, %rd2, %p0; setp.lt.u32 %p1, %r1, 20;
  @%p1 tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd3, {%f0}];
  add.f32 %f5, %f5, %f3; mul.wide.u32 %rd4, %r1, 8; add.u64 %rd0, %rd0, %rd4; st.global.v2.f32 [%rd0], {%f0, %f5};`,
    "",
  );
  const values = Array.from({ length: 32 }, (_, at) => (at * 13) % 32);
  const [a, b] = [values, values.map((value) => 100 + value)].map((each) => device.texture(line(device, each)));
  const out = device.buffer(new Float32Array(64));
  const { stop } = must(
    must(module.kernel("k")).launch({ grid: 1, block: 32, args: [out, a!, textures === 1 ? a! : b!] }),
  );
  expect(stop.reason).toBe("exit");
  const second = (at: number) => values[values[at]!]! + (textures === 2 && at % 2 === 1 ? 100 : 0);
  // The fourth of one channel is 1, which is added to what the lanes without a second lookup have.
  const wanted = values.flatMap((value, at) => [value, (at < 20 ? second(at) : 100) + 1]);
  expect([...new Float32Array(new Uint32Array(out.toBits("u32").map(Number)).buffer)]).toEqual(wanted);
});

describe("opaque variables and parameters", () => {
  test("a .texref is bound by its name, and is sampled as its members say", () => {
    const globals = ".global .texref t = { filter_mode = linear, addr_mode_0 = wrap, normalized_coords = 1 };";
    const bound = run({ globals, body: fetch1("t", "1.0") }, undefined, (device, module) => {
      const { sampler } = module.opaque[0]!;
      expect(module.bind("t", device.texture(line(device), {}, sampler))).toBe(true);
      expect(module.bind("t", device.surface(line(device)))).toBe(false);
      expect(module.bind("u", device.texture(line(device)))).toBe(false);
    });
    // At 1.0, which is 0: midway between the last texel and the first.
    expect(bound).toEqual({ words: [bits(3), ...Array(15).fill(0)], said: [] });
    expect(run({ globals, body: fetch1("t", "1.0") }).said[0]).toMatch(/nothing is bound to the texture t/);
  });
  test("their addresses are handles, elements of an array included, and so is what a parameter holds", () => {
    const globals = ".global .texref t[3];";
    const body = `mov.u64 %rd1, t; add.u64 %rd1, %rd1, 16; ${fetch1("%rd1", "0.0")}`;
    const second = run({ globals, body }, undefined, (device, module) =>
      module.bind("t[2]", device.texture(line(device, [7]))),
    );
    expect(second.words[0]).toBe(bits(7));
    const texture = (device: Device) => [device.texture(line(device))];
    expect(run({ parameters: ", .param .texref t", body: fetch1("t", "1.0") }, texture).words[0]).toBe(bits(2));
    const moved = `mov.u64 %rd1, t; ${fetch1("%rd1", "2.0")}`;
    expect(run({ parameters: ", .param .texref t", body: moved }, texture).words[0]).toBe(bits(3));
  });
  test("a sampler of its own says how, except for normalised coordinates", () => {
    const globals =
      ".global .texref t; .global .samplerref s = { filter_mode = linear, addr_mode_0 = clamp_to_border }; .global .samplerref n = { force_unnormalized_coords = 1 };";
    const texmode = ", texmode_independent";
    const bind = (device: Device, module: ReturnType<typeof load>["module"]) =>
      module.bind("t", device.texture(line(device), { normalized: true }));
    const fetched = (sampler: string, at: string) =>
      run({ globals, texmode, body: fetch1(`t, ${sampler}`, at) }, undefined, bind).words[0];
    expect(fetched("s", "0.5")).toBe(bits(2.5));
    expect(fetched("s", "0.0")).toBe(bits(0.5));
    expect(fetched("n", "3.0")).toBe(bits(5));
  });
  test("what an initial value cannot be is said", () => {
    const said = (globals: string) =>
      new Device().module(`.version 9.0\n.target sm_90\n${globals}`).diagnostics.map(({ message }) => message);
    expect(said(".global .texref t = { filter = linear };")).toEqual(["a .texref has no member filter"]);
    expect(said(".global .texref t = { filter_mode = cubic };")).toEqual(["cubic is not a value of this member"]);
    expect(said(".global .surfref t = 5;")).toEqual(["a .surfref takes its members' values"]);
  });
});

test("queries answer for the texture that they are given", () => {
  const names = [
    "width",
    "height",
    "depth",
    "channel_data_type",
    "channel_order",
    "array_size",
    "num_mipmap_levels",
    "normalized_coords",
  ];
  const body = `ld.param.u64 %rd1, [h]; ${names.map((name, at) => `txq.${name}.b32 %r0, [%rd1]; st.global.b32 [%rd0+${4 * at}], %r0;`).join(" ")}`;
  const made = (device: Device) => {
    const array = device.array({ width: 8, height: 4, layers: 3, levels: 2, format: "u16", channels: 2 });
    return [device.texture(array, { read: "normalized", normalized: true })];
  };
  expect(run({ parameters: ", .param .u64 h", body }, made).words.slice(0, 8)).toEqual([
    8, 4, 1, 0x10d3, 0x10b2, 3, 2, 1,
  ]);
});

test("texels are compared before they are weighed", () => {
  const body = `ld.param.u64 %rd1, [h]; mov.f32 %f5, 0f40200000;
    tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {2.25}], %f5; st.global.f32 [%rd0], %f0;`;
  const texture = (device: Device) => [device.texture(line(device), { filter: "linear" })];
  // 2.5 is not above 3 and above 2; 3 has three quarters of the weight.
  expect(run({ parameters: ", .param .u64 h", body }, texture).words[0]).toBe(bits(0.75));
});

test("a seamless cubemap is filtered across its edges", () => {
  const body = `ld.param.u64 %rd1, [h];
    tex.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {1.0, 0.0, 1.0, 0.0}]; st.global.f32 [%rd0], %f0;`;
  const cube = (seamless: boolean) => (device: Device) => {
    const array = device.array({ width: 2, height: 2, cubemap: true, format: "f32", channels: 1 });
    array.write(Float32Array.from({ length: 24 }, (_, i) => 10 * Math.floor(i / 4)));
    return [device.texture(array, { filter: "linear", normalized: true, seamless })];
  };
  // On the edge of +z (40) and +x (0): z counts first, and half of the weight lies beyond.
  expect(run({ parameters: ", .param .u64 h", body }, cube(false)).words[0]).toBe(bits(40));
  expect(run({ parameters: ", .param .u64 h", body }, cube(true)).words[0]).toBe(bits(20));
});

test("what CUDA does not create is refused", () => {
  const device = new Device();
  const bytes = device.array({ width: 4, height: 4, format: "u8", channels: 4 });
  expect(() => device.texture(device.array({ width: 4, format: "u32", channels: 1 }), { read: "normalized" })).toThrow(
    /32 bits as fractions/,
  );
  expect(() => device.texture(line(device), { srgb: true })).toThrow(/sRGB in channels of f32/);
  expect(() => device.array({ width: 4, height: 3, cubemap: true, format: "u8", channels: 1 })).toThrow(/not square/);
  expect(() => device.array({ width: 4, levels: 4, format: "u8", channels: 1 })).toThrow(/4 levels/);
  expect(() => bytes.write(new Uint8Array(3))).toThrow(/3 bytes for an array, which takes 64/);
});
