import { describe, expect, test } from "vitest";
import { Source } from "../../../../src/source/source.ts";
import { readLitmus } from "../../litmus/ptx/read-litmus.ts";
import { judge, prepare } from "../../litmus/verdict.ts";
import { usualBounds } from "../../model/enumerate.ts";
import { type Event, packed } from "../../model/event.ts";

function read(text: string) {
  const { value, diagnostics } = readLitmus(new Source("t.ptx", text));
  if (!value) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join("; "));
  return value;
}

function verdict(text: string) {
  const { ready, diagnostics } = prepare(read(text));
  if (!ready) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join("; "));
  return judge(ready, usualBounds);
}

/** The events of a test's only thread, for values of its reads. */
function trace(body: string, values: readonly bigint[], more = "") {
  const [thread] = read(
    `//@ litmus t\n.global .u32 x[4];\n.shared .u32 s;\n${more}//@ thread P0\n${body}\n//@ exists x[0] == 0\n`,
  ).litmus.threads;
  return thread?.run(values) ?? { events: [], end: "done", registers: new Map<string, bigint>() };
}

const words = (event: Event): string => {
  if (event.kind === "read" || event.kind === "write")
    return `${event.kind} ${event.location.name} ${event.value} ${event.semantics}.${event.scope} needs ${event.needs.join()}`;
  return `${event.kind} needs ${event.needs.join()}`;
};

describe("a thread of real PTX", () => {
  test("is followed through loads, arithmetic and stores, with what depends on what", () => {
    const body = `ld.relaxed.gpu.global.u32 a, [x];
      add.u32 b, a, 5;
      st.release.sys.global.u32 [x+4], b;
      st.global.u32 [x+8], 7;`;
    expect(trace(body, [3n]).events.map(words)).toEqual([
      "read x[0] 3 relaxed.gpu needs ",
      "write x[4] 8 release.sys needs 0",
      expect.stringContaining("write x[8] 7 weak"),
    ]);
    const asking = trace(body, []);
    expect(asking.end).toBe("asks");
    expect(asking.events).toHaveLength(1);
    expect(trace(body, [3n]).registers.get("b")).toBe(8n);
  });

  test("addresses and branches that depend on a read are dependencies", () => {
    const body = `ld.global.u32 a, [x];
      cvt.u64.u32 i, a;
      mov.u64 base, x;
      add.u64 at, base, i;
      st.global.u32 [at], 1;
      setp.eq.u32 p, a, 4;
      @p bra L;
      st.shared.u32 [s], 2;
      L: st.global.u32 [x+12], 3;`;
    expect(trace(body, [4n]).events.map(words).slice(1)).toEqual([
      expect.stringMatching(/^write x\[4\] 1 weak\.\w+ needs 0$/),
      expect.stringMatching(/^write x\[12\] 3 weak\.\w+ needs 0$/),
    ]);
    expect(trace(body, [8n]).events.map(words)[2]).toMatch(/^write s 2 weak\.\w+ needs 0$/);
  });

  test("vectors are elements without an order, atomics two halves", () => {
    const vector = trace("ld.global.v2.u32 {a, b}, [x]; st.global.v2.u32 [x+8], {b, a};", [1n, 2n]).events;
    const orders = vector.map(({ order }) => order);
    expect(orders[0]).toBe(orders[1]);
    expect(orders[2]).toBe(orders[3]);
    expect(orders[0]).not.toBe(orders[2]);
    expect(vector.map(words).map((each) => each.split(" ").slice(0, 3).join(" "))).toEqual([
      "read x[0] 1",
      "read x[4] 2",
      "write x[8] 2",
      "write x[12] 1",
    ]);
    expect(vector[2]?.needs).toEqual([1]);
    const add = trace("atom.acq_rel.gpu.global.add.u32 a, [x], 5;", [10n]).events;
    expect(add.map(words)).toEqual(["read x[0] 10 acq_rel.gpu needs ", "write x[0] 15 acq_rel.gpu needs 0"]);
    expect(add[0]).toMatchObject({ atomic: 1 });
    const exch = trace("atom.relaxed.gpu.global.exch.b32 a, [x], 5;", [10n]).events;
    expect(exch.map(words)[1]).toBe("write x[0] 5 relaxed.gpu needs ");
    const cas = "atom.relaxed.gpu.global.cas.b32 a, [x], 1, 5;";
    expect(trace(cas, [1n]).events).toHaveLength(2);
    expect(trace(cas, [2n]).events.map(words)).toEqual(["read x[0] 2 relaxed.gpu needs "]);
    const red = trace("red.relaxed.gpu.global.inc.u32 [x], 5;", [5n]).events;
    expect(red[0]).toMatchObject({ kind: "read", reduction: true });
    expect(red.map(words)[1]).toBe("write x[0] 0 relaxed.gpu needs 0");
  });

  test("fences, barriers and generic addresses are what they are", () => {
    const body = `fence.sc.gpu; membar.cta; fence.proxy.alias; bar.sync 1; bar.arrive 2, 64;
      barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
      cvta.shared.u64 g, s; st.u32 [g], 1; cvta.global.u64 h, x; st.volatile.u32 [h+4], 2;`;
    const { events } = trace(body, []);
    expect(events.slice(0, 3)).toMatchObject([
      { kind: "fence", semantics: "sc", scope: "gpu" },
      { kind: "fence", semantics: "sc", scope: "cta" },
      { kind: "proxy fence", proxy: "alias" },
    ]);
    expect(events.slice(3, 7)).toMatchObject([
      { kind: "barrier", of: "cta", id: 1, does: "sync" },
      { kind: "barrier", of: "cta", id: 2, does: "arrive", count: 64 },
      { kind: "barrier", of: "cluster", does: "arrive" },
      { kind: "barrier", of: "cluster", does: "wait" },
    ]);
    expect(events.slice(7).map(words)).toEqual([
      expect.stringMatching(/^write s 1 weak/),
      expect.stringMatching(/^write x\[4\] 2 volatile\.sys/),
    ]);
  });

  test("a bulk copy reads, writes and tells its mbarrier object, a fence of the proxies behind each", () => {
    const more = ".shared .align 16 .u32 to[4];\n.shared .b64 bar;\n";
    const copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [x], 16, [bar];";
    const init = "mbarrier.init.shared.b64 [bar], 1;";
    const object = trace(init, [], more).events[0] as { value: bigint };
    const { events } = trace(`${init} ${copy}`, [1n, 2n, 3n, 4n, object.value], more);
    const said = events.map((event) => {
      if (event.kind !== "read" && event.kind !== "write") return event.kind;
      return `${event.kind} ${event.location.name} ${event.proxy}${event.async === 1 ? "" : " in order"} needs ${event.needs}`;
    });
    expect(said).toEqual([
      "write bar generic in order needs ",
      ...[0, 4, 8, 12].map((at) => `read x[${at}] async needs `),
      "proxy fence",
      ...[0, 4, 8, 12].map((at, i) => `write to[${at}] async needs ${i + 1}`),
      "proxy fence",
      "read bar generic needs ",
      "write bar generic needs 11",
    ]);
    expect(events.at(-1)).toMatchObject({ semantics: "release", scope: "cluster", atomic: 11 });
  });

  test("an exchange takes what lanes have brought, and depends on the lane that it comes from", () => {
    const body = "ld.global.u32 a, [x]; shfl.sync.idx.b32 b, a, 3, 31, -1;";
    const { events } = trace(body, [5n], "");
    expect(events.slice(1)).toMatchObject([
      { kind: "barrier", of: "warp", relaxed: true, brings: { needs: [0] } },
      { kind: "exchange", from: [3] },
    ]);
    const brought = (value: bigint): bigint => value | (3n << 32n) | (31n << 40n);
    const all = packed(new Map([[0, brought(5n)], [3, brought(8n)]])); // biome-ignore format: one line
    expect(trace(body, [5n, all], "").registers.get("b")).toBe(8n);
  });

  test("a loop ends at its bound, a wild address in a fault", () => {
    const spin = "L: ld.relaxed.gpu.global.u32 a, [x]; setp.eq.u32 p, a, 0; @p bra L;";
    expect(trace(spin, [0n, 0n, 1n]).end).toBe("done");
    expect(trace(spin, [0n, 0n, 0n, 0n]).end).toBe("bound");
    expect(trace("mov.u64 a, 64; st.global.u32 [a], 1;", []).end).toHaveProperty("fault");
  });
});

describe("a litmus test in plain PTX", () => {
  const mp = (load: string, place = "cta 1") => `//@ litmus MP
//@ "Message passing."
.global .u32 x;
.global .u32 flag = 0;
//@ thread P0 cta 0
st.weak.global.u32 [x], 1;
st.release.cta.global.u32 [flag], 1;
//@ thread P1 ${place}
${load}.global.u32 r0, [flag];
ld.weak.global.u32 r1, [x];
//@ never P1:r0 == 1 /\\ P1:r1 == 0
`;

  test("is judged as one in the published format", () => {
    expect(verdict(mp("ld.acquire.cta", "cta 0")).holds).toBe(true);
    expect(verdict(mp("ld.acquire.cta")).holds).toBe(false);
    expect(verdict(mp("ld.relaxed.cta", "cta 0")).holds).toBe(false);
  });

  test("has initial values, other names, registers and blocks with shared memory of their own", () => {
    expect(
      verdict(`//@ litmus names
.global .u32 x = 7;
.global .u32 y;
.shared .u32 s;
//@ alias y x
//@ initially P0:r9 = 5
//@ thread P0 cta 0
.reg .u32 r<10>;
st.global.u32 [x], r9;
fence.proxy.alias;
ld.global.u32 r0, [y];
st.shared.u32 [s], 1;
//@ thread P1 cta 1
ld.shared.u32 r0, [s];
mov.u32 r1, %ctaid.x;
//@ forall P0:r0 == 5
//@ forall P1:r0 == 0 /\\ s@0 == 1 /\\ s@1 == 0
//@ never P1:r1 != 1
`).holds,
    ).toBe(true);
  });

  test.each([
    ["PTX1202", mp("ld.acquired.cta")],
    ["PTX1912", "//@ litmus t\n//@ exists x == 1\n"],
    ["PTX1903", "//@ litmus t\n//@ thread P0\nmembar.gl;\n"],
    ["PTX1917", `//@ litmus t\n//@ thread P0\nactivemask.b32 r0;\n//@ exists P0:r0 == 1\n`],
    ["PTX1918", mp("ld.acquire.cta", "block 1")],
    ["PTX1918", mp("ld.acquire.cta").replace("//@ never", "//@ newer")],
    ["PTX1902", mp("ld.acquire.cta").replace("P1:r1 == 0", "P1:r2 == 0")],
  ])("%s where something is wrong, at its place", (code, text) => {
    expect(() => verdict(text)).toThrow(code);
  });

  test.each([
    ["activemask.b32 r0;", "which threads of a warp run together, which the manual leaves open"],
    ["griddepcontrol.wait;", "speaks of another grid"],
    ["cp.async.ca.shared.global [s], [x], 4, 2;", "fills with zeros"],
    ["cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [x, {0}], [s];", "goes through a tensor map"],
    ["shfl.sync.idx.b32 r0, 1, 0, 31, 2;", "outside its membermask"],
  ])("%s is refused, or faults, and it is said why", (body, why) => {
    const text = `//@ litmus t\n.global .u32 x;\n.shared .u32 s;\n//@ thread P0\n${body}\n//@ exists x == 0\n`;
    const { value, diagnostics } = readLitmus(new Source("t.ptx", text));
    const end = value?.litmus.threads[0]?.run([]).end;
    expect(JSON.stringify([diagnostics.map(({ message }) => message), end])).toContain(why);
  });

  test("diagnostics of its PTX stand where the test has it", () => {
    const text = mp("ld.acquired.cta");
    const { diagnostics } = readLitmus(new Source("t.ptx", text));
    const [first] = diagnostics;
    expect(text.slice(first?.span.start, first?.span.end)).toBe(".acquired");
  });
});
