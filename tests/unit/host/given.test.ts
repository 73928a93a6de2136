import { describe, expect, it } from "vitest";
import { Debugger, Device, lint, must } from "../../../src/index.ts";
import { functionOf } from "../../../src/isa/index.ts";
import { exactDecimal, f16, floatFields, fromBits, neighbours, toBits, ulps } from "../../../src/numeric/index.ts";

const device = new Device();
const kernel = must(device.snippet("mov.u32 d, %tid.x;"));
const module = must(device.module(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }"));
const buffer = device.buffer(16);
const array = device.array({ width: 4, format: "f32", channels: 1 });
const debugged = must(Debugger.begin({ start: () => kernel.session() }));
const text = "ret;";

/** What a program in JavaScript gives, which no compiler checks. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested
type Anything = any;
type Call = (given: Anything) => unknown;

/** Each function with options: how it is called with some, and an option that it has. */
const withOptions: readonly (readonly [name: string, call: Call, misspelt: string, meant: string])[] = [
  ["Device", (options) => new Device(options), "maxmemory", "maxMemory"],
  ["buffer", (options) => device.buffer(4, options), "nam", "name"],
  ["allocate", (options) => device.allocate(4, options), "algin", "align"],
  ["array", (options) => device.array({ width: 1, format: "f32", channels: 1, ...options }), "hieght", "height"],
  ["texture", (options) => device.texture(array, options), "fliter", "filter"],
  ["sampler", (options) => device.sampler(options), "forceunnormalized", "forceUnnormalized"],
  ["surface", (options) => device.surface(array, options), "lvel", "level"],
  ["multicast", (options) => device.multicast(4, { devices: 1, ...options }), "nmae", "name"],
  ["tensorMap", (options) => device.tensorMap({ tensor: buffer, type: "f32", dims: [4], ...options }), "stride", "strides"],
  ["module", (options) => device.module(text, options), "traget", "target"],
  ["snippet", (options) => device.snippet(text, options), "versoin", "version"],
  ["lint", (options) => lint(text, options), "tagret", "target"],
  ["launch", (options) => kernel.launch(options), "gird", "grid"],
  ["session", (options) => kernel.session(options), "dynamicshared", "dynamicShared"],
  ["launch: sanitize", (options) => kernel.launch({ sanitize: options }), "inti", "init"],
  ["launch: schedule", (options) => kernel.launch({ schedule: { seed: 1, ...options } }), "sead", "seed"],
  ["launch: weak", (options) => kernel.launch({ weak: { seed: 1, ...options } }), "sede", "seed"],
  ["run", (options) => must(kernel.session()).run(options), "bugdet", "budget"],
  ["Debugger.begin", (options) => Debugger.begin({ start: () => kernel.session(), ...options }), "histroy", "history"],
  ["breakAt", (options) => debugged.breakAt(0, options), "conditoin", "condition"],
  ["watch", (options) => debugged.watch(() => 0n, options), "ignor", "ignore"],
  ["catch", (options) => debugged.catch("nan", options), "temporery", "temporary"],
]; // biome-ignore format: a table

describe("an option that a function does not have is an error that names it", () => {
  it.each(withOptions)("%s", (name, call, misspelt, meant) => {
    expect(() => call({ [misspelt]: 1 })).toThrow(
      new TypeError(`${name}: unknown option "${misspelt}"; did you mean "${meant}"?`),
    );
    expect(() => call({ constructor: 1 })).toThrow(`${name}: unknown option "constructor"`);
    if (meant !== "seed") expect(() => call({ [meant]: undefined })).not.toThrow();
  });
});

describe("a value that a parameter does not take is an error that names it", () => {
  const wrong: readonly (readonly [call: Call, value: unknown, message: string])[] = [
    [(block) => kernel.launch({ block }), "32", 'launch: block is "32", expected a number, or an array of one to three'],
    [(grid) => kernel.launch({ grid }), [1, 2, 3, 4], "launch: grid is an array, expected"],
    [(maxSteps) => kernel.launch({ maxSteps }), "1M", 'launch: maxSteps is "1M", expected a number'],
    [(registers) => kernel.launch({ registers }), { d: 1n }, "launch: registers is an object, expected a Map"],
    [(print) => kernel.launch({ print }), true, "launch: print is true, expected a function"],
    [(race) => kernel.launch({ sanitize: { mem: true, init: true, race } }), 1, "launch: sanitize: race is 1, expected true or false"],
    [(options) => kernel.launch(options), 5, "launch: the options are 5, expected an object"],
    [(before) => must(kernel.session()).run({ before }), 1, "run: before is 1, expected a function"],
    [() => kernel.launch({ schedule: {} as Anything }), 0, 'launch: schedule: the option "seed" is missing'],
    [(options) => device.array(options), { width: 1, format: "f32" }, 'array: the option "channels" is missing'],
    [(contents) => device.buffer(contents), "16", 'buffer: contents is "16", expected a number of bytes'],
    [(contents) => device.allocate(contents), undefined, "allocate: contents is undefined, expected"],
    [(contents) => device.multicast(contents, { devices: 1 }), {}, "multicast: contents is an object, expected"],
    [(resource) => device.texture(resource), undefined, "texture: resource is undefined, expected an object"],
    [(resource) => device.surface(resource), 3, "surface: resource is 3, expected an object"],
    [(address) => device.announce(address, 4, "x"), 5, "announce: address is 5, expected a bigint"],
    [(name) => device.announce(1n, 4, name), 5, "announce: name is 5, expected a text"],
    [(program) => device.module(program), 5, "module: the program is 5, expected a text"],
    [(program) => device.snippet(program), undefined, "snippet: the program is undefined, expected a text"],
    [(program) => lint(program), null, "lint: the program is null, expected a text"],
    [(name) => module.kernel(name), 0, "kernel: its name is 0, expected a text"],
    [(name) => module.variable(name), undefined, "variable: its name is undefined, expected a text"],
    [(contents) => buffer.write(contents), [1, 2], "write: contents is an array, expected an ArrayBuffer or a typed array"],
    [(offset) => buffer.write(new Uint8Array(1), offset), "0", 'write: offset is "0", expected a number'],
    [(offset) => buffer.read(offset), 1n, "read: offset is the bigint 1n, expected a number"],
    [(bytes) => buffer.read(0, bytes), Number.NaN, "read: bytes is NaN, expected a number"],
    [(type) => buffer.toArray(type), undefined, "toArray: type is undefined, expected a text"],
    [(type) => buffer.toBits(type), "float", "toBits: unknown type float, expected f32, u8 or the like"],
    [(read) => debugged.watch(read), 5, "watch: read is 5, expected a function"],
    [(format) => toBits(format, 1), "f16", 'toBits: format is "f16", expected a format, such as f16'],
    [(value) => toBits(f16, value), undefined, "toBits: value is undefined, expected a number, a bigint or a text"],
    [(rnd) => toBits(f16, 1, rnd), "up", 'toBits: rnd is "up", expected rn, rz, rm, rp or rna'],
    [(format) => fromBits(format, 1), undefined, "fromBits: format is undefined, expected a format"],
    [(bits) => fromBits(f16, bits), 1.5, "fromBits: bits is 1.5, expected bits"],
    [(format) => ulps(format, 1, 2), () => 1, "ulps: format is a function, expected a format"],
    [(a) => ulps(f16, a, 2), "x".repeat(50), "ulps: a is a long text, expected bits"],
    [(b) => ulps(f16, 1, b), undefined, "ulps: b is undefined, expected bits"],
    [(bits) => neighbours(f16, bits), 1, "neighbours: bits is 1, expected a bigint"],
    [(bits) => exactDecimal(f16, bits), 1, "exactDecimal: bits is 1, expected a bigint"],
    [(format) => floatFields(format, 1n), {}, "floatFields: format is an object, expected a format"],
    [(spelling) => functionOf(spelling), 5, "functionOf: spelling is 5, expected a text"],
  ]; // biome-ignore format: a table
  it.each(wrong)("%# %s", (call, value, message) => {
    expect(() => call(value)).toThrow(TypeError);
    expect(() => call(value)).toThrow(message);
  });
});
