import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/host/index.ts";
import { executors } from "../../../src/interp/index.ts";
import type { LaunchState } from "../../../src/interp/machine/launch.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { INITIALISED, STORED } from "../../../src/interp/memory/shadow.ts";

const module_ = (body: string): string => `.version 8.3
.target sm_80
.address_size 64
.entry k(.param .u64 g)
{
  .reg .pred p; .reg .b32 t, c, a, b, x; .reg .b64 q, w;
  .shared .align 4 .b32 s[64];
  mov.u32 t, %tid.x;
  mov.u32 c, %ctaid.x;
  mov.u32 a, s;
  mad.lo.u32 b, t, 4, a;
${body}
}
`;

const sessionOf = (body: string, options: object): Session => {
  const device = new Device();
  const kernel = must(must(device.module(module_(body))).kernel("k"));
  return must(kernel.session({ block: 64, args: [device.buffer(256)], ...options }));
};

/** What is said of the first finding: the line of the store, and who does it. */
function late(body: string, options: object = {}): readonly string[] {
  const session = sessionOf(body, options);
  session.run();
  const [finding] = session.findings;
  expect(finding?.code).toBe("PTX4001");
  return (finding?.related ?? []).map(
    ({ source, span, message }) => `${source.text.slice(span.start, span.end)} ${message}`,
  );
}

const reversed = "st.shared.u32 [b], t; xor.b32 x, t, 63; mad.lo.u32 x, x, 4, a; ld.shared.u32 x, [x]; ret;";

describe("a read of what nothing has written yet names who writes it later", () => {
  it.each(["js", "wasm"] as const)("without a barrier between, by executor %s", (name) => {
    const executor = executors.get(name);
    expect(late(reversed, { executor, grid: 2 })).toEqual([
      "st.shared.u32 [b], t; thread (63,0,0) of block (0,0,0) writes it later, and there is no barrier between them",
    ]);
  });

  it.each(["js", "wasm"] as const)("through generic addresses, by executor %s", (name) => {
    const executor = executors.get(name);
    const generic = `cvt.u64.u32 q, b; cvta.shared.u64 q, q; st.u32 [q], t; ${reversed.replace("st.shared.u32 [b], t; ", "")}`;
    expect(late(generic, { executor })).toEqual([
      "st.u32 [q], t; thread (63,0,0) of block (0,0,0) writes it later, and there is no barrier between them",
    ]);
  });

  it("behind a barrier, which may be the wrong one", () => {
    expect(late(`bar.sync 0; ${reversed}`)[0]).toContain("writes it later: is a barrier missing between the two?");
  });

  it("the reader itself", () => {
    expect(late("ld.shared.u32 x, [b]; st.shared.u32 [b], t; ret;")).toEqual([
      "st.shared.u32 [b], t; thread (0,0,0) of block (0,0,0) writes it later itself",
    ]);
  });

  it("of another block, in global memory", () => {
    const body =
      "ld.param.u64 q, [g]; mul.wide.u32 w, c, 4; add.u64 w, w, q; ld.global.u32 x, [q+4]; st.global.u32 [w], t; ret;";
    expect(late(body, { grid: 2, block: 1 })[0]).toContain("block (1,0,0) writes it later, and nothing orders blocks");
  });

  it("not a block that has the same shared memory after it", () => {
    const body = "setp.eq.u32 p, c, 0; @p ld.shared.u32 x, [b]; @!p st.shared.u32 [b], t; ret;";
    expect(late(body, { grid: 2, executor: executors.get("wasm") })).toEqual([]);
    expect(late(body, { grid: 2, executor: executors.get("js") })).toEqual([]);
  });

  it("nobody, where nobody does, and not for an atomic operation, which writes at once", () => {
    expect(late("ld.shared.u32 x, [b]; ret;")).toEqual([]);
    expect(late("atom.shared.add.u32 x, [a], 1; ret;")).toEqual([]);
  });
});

describe("bytes that are waited for", () => {
  const body = "ld.param.u64 q, [g]; ld.global.u32 x, [q+8]; setp.eq.u32 p, t, 63; @p st.global.u32 [q+8], t; ret;";

  it("are as others when the launch has ended", () => {
    for (const text of [body, body.replace("q+8], t", "q+4], t")]) {
      const session = sessionOf(text, {});
      session.run();
      const { memory } = (session as unknown as { state: LaunchState }).state.options;
      const marked = memory.knownPages(0, 1 << 16).some((page) => !memory.all(page << 12, 1 << 12, STORED, 0));
      expect([session.findings.length, memory.storing, marked]).toEqual([1, INITIALISED, false]);
    }
  });

  it("are waited for again where a run goes back", () => {
    const session = sessionOf(body, {});
    session.run({ budget: 7 });
    const before = session.snapshot();
    expect(session.findings[0]?.related).toBeUndefined();
    session.run();
    const first = session.findings[0]?.related;
    expect(first?.[0]?.message).toContain("thread (63,0,0)");
    session.restore(before);
    expect(session.findings[0]?.related).toBeUndefined();
    session.run();
    expect(session.findings[0]?.related).toEqual(first);
  });
});
