import { describe, expect, it } from "vitest";
import { Device, type Launch, type LaunchOptions, type Module, must } from "../../../src/host/index.ts";
import { executors } from "../../../src/interp/create-session.ts";

/** The runtime's functions on the device as nvcc 12 and later declare them. */
const declarations = `
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
  (.param .b64 f, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2GetLastError();
.extern .func (.param .b32 r) cudaDeviceSynchronize();
.extern .func (.param .b32 r) __cudaCDP2MemcpyAsync
  (.param .b64 to, .param .b64 from, .param .b64 bytes, .param .b32 kind, .param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2Memset2DAsync
  (.param .b64 to, .param .b64 pitch, .param .b32 value, .param .b64 width, .param .b64 height, .param .b64 stream);
.extern .func (.param .b64 r) __cudaCDP2GetErrorString(.param .b32 error);
.extern .func (.param .b32 r) __cudaCDP2Malloc(.param .b64 to, .param .b64 bytes);
.extern .func (.param .b32 r) __cudaCDP2Free(.param .b64 memory);
`;

/** A launch of `kernel` with the words of registers; %e is 1 where there was no buffer for its parameters. */
const launch = (
  kernel: string,
  grid: number,
  block: number,
  stream: number | string,
  ...parameters: string[]
): string => `
{
  .param .b64 r; .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;
  .reg .b64 %f, %buffer;
  mov.u64 %f, ${kernel}; st.param.b64 [f], %f;
  st.param.b32 [g], ${grid}; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
  st.param.b32 [b], ${block}; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
  st.param.b32 [s], 0;
  call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);
  ld.param.b64 %buffer, [r];
  setp.eq.u64 %e, %buffer, 0;
  @%e bra NONE;
  ${parameters.map((register, at) => `st.u64 [%buffer+${8 * at}], ${register};`).join(" ")}
  {
    .param .b32 r; .param .b64 p; .param .b64 stream;
    st.param.b64 [p], %buffer; st.param.b64 [stream], ${stream};
    call.uni (r), __cudaCDP2LaunchDeviceV2, (p, stream);
  }
NONE:
}`;

/** Appends `value` to a list, whose first word counts. */
const note = (value: string): string =>
  `atom.global.add.u32 %r, [%list], 1; mad.wide.u32 %at, %r, 4, %list; st.global.u32 [%at+4], ${value};`;

const kernel = (name: string, more: string, body: string): string => `
.visible .entry ${name}(.param .u64 list${more})
{
  .reg .pred %p, %e; .reg .b32 %r<4>, %r; .reg .b64 %list, %at, %d<4>;
  ld.param.u64 %list, [list]; cvta.to.global.u64 %list, %list;
  ${body}
  ret;
}`;

const child = kernel("child", ", .param .u64 value", `ld.param.u32 %r1, [value]; ${note("%r1")}`);
const text = (...kernels: string[]): string =>
  `.version 8.0\n.target sm_80\n.address_size 64\n${declarations}${child}${kernels.join("")}`;

interface Ran {
  readonly launch: Launch;
  /** What was noted in the list, and the words of its memory. */
  readonly list: readonly number[];
  readonly words: readonly number[];
}

function run(module: Module, device: Device, name: string, options: LaunchOptions = {}): Ran {
  const list = device.allocate(new Uint32Array(64))!;
  const done = must(must(module.kernel(name)).launch({ args: [list], ...options }));
  const words = [...new Uint32Array(list.read().buffer)];
  return { launch: done, list: words.slice(1, 1 + (words[0] ?? 0)), words };
}

describe.each([...executors])("launches of the device, %s", (_, executor) => {
  const ran = (source: string, name = "parent", options: LaunchOptions = {}): Ran => {
    const device = new Device();
    return run(must(device.module({ name: "k.ptx", text: source })), device, name, { executor, ...options });
  };
  const launches = (stream: number | string, value: number): string =>
    `mov.u64 %d1, ${value}; ${launch("child", 1, 1, stream, "%list", "%d1")}`;

  it("run when the grid has ended, in their order, and those of the tail behind all others", () => {
    const parent = kernel("parent", "", `${launches(3, 9)} ${launches(0, 1)} ${launches(4, 2)} ${note("7")}`);
    expect(ran(text(parent))).toMatchObject({ launch: { stop: { reason: "exit" } }, list: [7, 1, 2, 9] });
  });

  it("launch others, which end before the next one begins, 24 deep", () => {
    const inner = `${note("5")} ${launch("parent", 1, 1, 0, "%list")} @%e st.global.u32 [%list+252], 65;`;
    const { list, words, launch: done } = ran(text(kernel("parent", "", inner)));
    expect(done.stop).toEqual({ reason: "exit" });
    expect(list).toEqual(Array(25).fill(5));
    expect(words.at(-1)).toBe(65);
  });

  it("are many blocks, which find the parameters of their launch", () => {
    const parent = kernel("parent", "", `mov.u64 %d1, 3; ${launch("child", 5, 8, 0, "%list", "%d1")}`);
    expect(ran(text(parent)).list).toEqual(Array(40).fill(3));
  });

  it("have ended where a thread has waited for them", () => {
    const wait = "{ .param .b32 r; call.uni (r), cudaDeviceSynchronize, (); }";
    const parent = kernel("parent", "", `${launches(0, 4)} ${wait} ld.global.u32 %r2, [%list+4]; ${note("%r2")}`);
    expect(ran(text(parent)).list).toEqual([4, 4]);
  });

  it("copy and set memory in their turn", () => {
    const copy = `{
      .param .b32 r; .param .b64 t; .param .b64 f; .param .b64 n; .param .b32 k; .param .b64 s;
      add.u64 %d2, %list, 8; st.param.b64 [t], %d2; add.u64 %d2, %list, 4; st.param.b64 [f], %d2;
      st.param.b64 [n], 4; st.param.b32 [k], 3; st.param.b64 [s], 0;
      call.uni (r), __cudaCDP2MemcpyAsync, (t, f, n, k, s);
    }`;
    const set = `{
      .param .b32 r; .param .b64 t; .param .b64 p; .param .b32 v; .param .b64 w; .param .b64 h; .param .b64 s;
      add.u64 %d2, %list, 13; st.param.b64 [t], %d2; st.param.b64 [p], 4; st.param.b32 [v], 255; st.param.b64 [w], 2;
      st.param.b64 [h], 2; st.param.b64 [s], 0;
      call.uni (r), __cudaCDP2Memset2DAsync, (t, p, v, w, h, s);
    }`;
    const parent = kernel("parent", "", `${launches(0, 0x1234)} ${copy} ${set}`);
    expect(ran(text(parent)).words.slice(0, 6)).toEqual([1, 0x1234, 0x1234, 0xffff00, 0xffff00, 0]);
  });

  it("give the error of a configuration that no device takes", () => {
    const last = "{ .param .b32 r; call.uni (r), __cudaCDP2GetLastError, (); ld.param.b32 %r2, [r]; }";
    const none = launch("child", 1, 1025, 0, "%list", "%list");
    const parent = kernel("parent", "", `${none} ${last} ${note("%r2")} ${last} ${note("%r2")}`);
    expect(ran(text(parent)).list).toEqual([9, 0]);
  });

  it("have words for errors, and memory of the device heap", () => {
    const parent = kernel(
      "parent",
      "",
      `{ .param .b64 r; .param .b32 e; st.param.b32 [e], 9; call.uni (r), __cudaCDP2GetErrorString, (e); ld.param.b64 %d1, [r]; }
      ld.u8 %r1, [%d1]; ${note("%r1")}
      { .param .b32 r; .param .b64 t; .param .b64 n; add.u64 %d1, %list, 240; st.param.b64 [t], %d1; st.param.b64 [n], 8;
        call.uni (r), __cudaCDP2Malloc, (t, n); ld.param.b32 %r1, [r]; }
      ${note("%r1")} ld.global.u64 %d1, [%list+240]; st.u32 [%d1], 6; ld.u32 %r1, [%d1]; ${note("%r1")}
      { .param .b32 r; .param .b64 m; st.param.b64 [m], %d1; call.uni (r), __cudaCDP2Free, (m); ld.param.b32 %r1, [r]; }
      ${note("%r1")}`,
    );
    expect(ran(text(parent)).list).toEqual(["i".charCodeAt(0), 0, 6, 0]);
  });

  it("take no other memory for parameters, which stays as it was", () => {
    const other = `{
      .param .b32 r; .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 t;
      mov.u64 %d1, child; st.param.b64 [f], %d1; st.param.b64 [p], %list; st.param.b32 [s], 0; st.param.b64 [t], 0;
      st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
      st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
      call.uni (r), cudaLaunchDevice, (f, p, g, b, s, t); ld.param.b32 %r2, [r];
    }`;
    const declared = `.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12],
      .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);`;
    const { list, launch: done } = ran(text(declared, kernel("parent", "", `${other} ${note("%r2")}`)));
    expect([done.stop.reason, list]).toEqual(["exit", [1]]);
  });

  it("end the launch by their faults, which name who has launched them", () => {
    const bad = kernel("bad", "", "mov.u64 %d1, 64; ld.global.u32 %r1, [%d1];");
    const parent = kernel("parent", "", launch("bad", 1, 1, 0, "%list"));
    const { stop } = ran(text(bad, parent)).launch;
    expect(
      stop.reason === "trap" && [stop.diagnostic.code, stop.diagnostic.related?.map(({ message }) => message)],
    ).toEqual(["PTX3002", ["bad is launched here, by thread (0,0,0) of block (0,0,0)"]]);
    const waits = `${launch("bad", 1, 1, 0, "%list")} { .param .b32 r; call.uni (r), cudaDeviceSynchronize, (); } ${note("1")}`;
    const waited = ran(text(bad, kernel("parent", "", waits)));
    expect(waited).toMatchObject({ launch: { stop: { reason: "trap", diagnostic: { code: "PTX3002" } } }, list: [] });
  });

  it("happen once more behind a snapshot, and in slices", () => {
    const device = new Device();
    const parent = kernel("parent", "", `${launches(0, 1)} ${launches(0, 2)}`);
    const module = must(device.module({ name: "k.ptx", text: text(parent) }));
    const list = device.allocate(new Uint32Array(64))!;
    const session = must(must(module.kernel("parent")).session({ args: [list], executor }));
    session.run({ budget: 10 });
    const before = session.snapshot();
    const words = (): readonly number[] => [...new Uint32Array(list.read().buffer.slice(0, 12))];
    while (session.run({ budget: 3 }).reason === "budget");
    expect(words()).toEqual([2, 1, 2]);
    session.restore(before);
    expect(words()).toEqual([0, 0, 0]);
    expect(session.run()).toEqual({ reason: "exit" });
    expect(words()).toEqual([2, 1, 2]);
    session.close();
  });
});
