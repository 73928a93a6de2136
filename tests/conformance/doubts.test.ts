import { describe, expect, it } from "vitest";
import { lint, Source } from "../../src/index.ts";

/** What lint doubts about the body of a kernel: codes, with the underlined text. */
function doubts(body: string, { head = "", before = "", target = "sm_90", version = "8.0" } = {}): readonly string[] {
  const text = `.version ${version}\n.target ${target}\n.address_size 64\n${before}\n.visible .entry k(.param .u64 data, .param .u32 n) ${head}
{ .reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .shared .align 16 .b8 s[512];
  ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %laneid; mad.wide.u32 %rd2, %r2, 4, %rd1;
  ${body}
end: st.global.u32 [%rd2], 0; ret; }`;
  const source = new Source("k.ptx", text);
  return lint(source).map(({ code, severity, span }) => {
    const what = text.slice(span.start, span.end).replace(/^(?:@!?%p\d )?(\S+)[\s\S]*$/, "$1");
    return severity === "warning" ? `${code} ${what}` : `${severity} ${code} ${what}`;
  });
}

/** A body whose first lines set %p1, under which the threads go around the instruction. */
const around = (condition: string, inside: string) => `${condition} @%p1 bra join; ${inside} join: membar.cta;`;

describe("a barrier of the block that only some threads come to", () => {
  const barrier = "bar.sync 0;";
  it.each([
    ["a part of the warps", "setp.ge.u32 %p1, %r2, 32;"],
    ["the same, by a shift", "shr.u32 %r4, %r2, 5; setp.ne.u32 %p1, %r4, 0;"],
    ["as many as a parameter says", "setp.ge.u32 %p1, %r2, %r1;"],
    ["what memory says of each", "ld.global.u32 %r4, [%rd2]; setp.ne.u32 %p1, %r4, 5;"],
    [
      "what memory says of each block of a grid",
      "mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.x; mad.lo.u32 %r7, %r5, %r6, %r2; setp.ge.u32 %p1, %r7, %r1;",
    ],
    ["two conditions", "setp.ge.u32 %p2, %r2, 32; setp.ne.u32 %p3, %r1, 0; and.pred %p1, %p2, %p3;"],
  ])("draws PTX9101 or PTX9103: %s", (_, condition) => {
    const [found, ...more] = doubts(around(condition, barrier));
    expect(found).toMatch(/^PTX910[13] bar\.sync$/);
    expect(more).toEqual([]);
  });
  it.each([
    ["the same for the block", around("setp.eq.u32 %p1, %r1, 0;", barrier)],
    ["by block", around("mov.u32 %r4, %ctaid.x; setp.eq.u32 %p1, %r4, 0;", barrier)],
    ["what one place of memory says", around("ld.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r4, 0;", barrier)],
    ["true for all threads there can be", around("setp.ge.u32 %p1, %r2, 1024;", barrier)],
    ["the others leave", `setp.ge.u32 %p1, %r2, 32; @%p1 bra out; ${barrier} st.global.u32 [%rd1], 1; out: ret;`],
    ["the others have left", `setp.ge.u32 %p1, %r2, %r1; @%p1 ret; ${barrier}`],
    ["a count of those that come", around("setp.ge.u32 %p1, %r2, 32;", "barrier.sync 1, 32;")],
    [
      "the others come to their own",
      `setp.ge.u32 %p1, %r2, 32; @%p1 bra high; ${barrier} bra join; high: ${barrier} join: membar.cta;`,
    ],
    [
      "a loop of a number for all",
      `mov.u32 %r4, 0; again: ${barrier} add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r1; @%p1 bra again;`,
    ],
    [
      "reached by another way, too",
      `setp.eq.u32 %p2, %r1, 5; @%p2 bra inside; setp.ge.u32 %p1, %r2, 32; @%p1 bra join; inside: ${barrier} join: membar.cta;`,
    ],
    ["a vote of the warp", around("setp.lt.u32 %p2, %r2, %r1; vote.sync.any.pred %p1, %p2, -1;", "membar.gl;")],
  ])("draws nothing where it is %s", (_, body) => {
    expect(doubts(body)).toEqual([]);
  });
  it("knows a block of one warp", () => {
    const body = around("setp.ge.u32 %p1, %r2, 32;", barrier);
    expect([doubts(body, { head: ".reqntid 32" }), doubts(body, { head: ".reqntid 64" })]).toEqual([
      [],
      ["PTX9101 bar.sync"],
    ]);
  });
  it("hears a guard", () => {
    expect(doubts(`setp.lt.u32 %p1, %r2, 32; @%p1 ${barrier}`)).toEqual(["PTX9101 bar.sync"]);
  });
});

describe("a membermask with lanes that do not come", () => {
  const shuffle = (mask: string) => `shfl.sync.bfly.b32 %r9, %r2, 1, 31, ${mask};`;
  it.each([
    ["half of the first warp", "setp.ge.u32 %p1, %r2, 16;", "-1"],
    ["some lanes of each", "setp.ge.u32 %p1, %r3, 16;", "-1"],
    ["more than come", "setp.ge.u32 %p1, %r3, 8;", "0xffff"],
    ["one lane", "setp.ne.u32 %p1, %r3, 0;", "-1"],
    ["as many as there are warps", "mov.u32 %r4, %ntid.x; shr.u32 %r5, %r4, 5; setp.ge.u32 %p1, %r2, %r5;", "-1"],
    ["what memory says", "ld.global.u32 %r4, [%rd2]; setp.eq.u32 %p1, %r4, 0;", "-1"],
    [
      "half of a warp, whose lanes lie in rows",
      "mov.u32 %r4, %tid.y; mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r4, %r5, %r2; and.b32 %r7, %r6, 31; setp.ge.u32 %p1, %r7, 16;",
      "-1",
    ],
  ])("draws PTX9102: %s", (_, condition, mask) => {
    expect(doubts(around(condition, shuffle(mask)))).toEqual(["PTX9102 shfl.sync.bfly.b32"]);
  });
  it.each([
    ["the first warp alone", "setp.ge.u32 %p1, %r2, 32;", "-1"],
    ["the lanes that reach it", "setp.ge.u32 %p1, %r3, 16;", "0xffff"],
    ["a ballot", "setp.ge.u32 %p1, %r3, 16; not.pred %p2, %p1; vote.sync.ballot.b32 %r5, %p2, -1;", "%r5"],
    ["nobody knows how many", "setp.ge.u32 %p1, %r2, %r1;", "-1"],
    [
      "warp by warp",
      "shr.u32 %r4, %r2, 5; mad.wide.u32 %rd3, %r4, 4, %rd1; ld.global.u32 %r5, [%rd3]; setp.eq.u32 %p1, %r5, 0;",
      "-1",
    ],
    [
      "the number of the warp, from its first lane",
      "shr.u32 %r4, %r2, 5; shfl.sync.idx.b32 %r5, %r4, 0, 31, -1; setp.ne.u32 %p1, %r5, 0;",
      "-1",
    ],
    ["a row, which may be a warp", "mov.u32 %r4, %tid.y; setp.ne.u32 %p1, %r4, 0;", "-1"],
    ["a vote", "setp.ge.u32 %p2, %r3, 16; vote.sync.any.pred %p1, %p2, -1;", "-1"],
  ])("draws nothing: %s", (_, condition, mask) => {
    expect(doubts(around(condition, shuffle(mask)))).toEqual([]);
  });
  it("draws nothing where the other lanes come to one like it", () => {
    const both = `setp.ge.u32 %p1, %r3, 16; @%p1 bra high; ${shuffle("-1")} bra join; high: ${shuffle("-1")} join: membar.cta;`;
    expect(doubts(both)).toEqual([]);
    expect(doubts(`setp.ge.u32 %p1, %r3, 16; @%p1 ${shuffle("-1")} @!%p1 ${shuffle("-1")}`)).toEqual([]);
  });
  it("hears a loop that lanes leave one by one", () => {
    const loop = (mask: string) =>
      `mov.u32 %r4, 0; again: add.u32 %r4, %r4, 1; ${shuffle(mask)} ld.global.u32 %r5, [%rd2]; setp.gt.u32 %p1, %r5, 99; @%p1 bra again;`;
    expect(doubts(loop("-1"))).toEqual(["PTX9102 shfl.sync.bfly.b32"]);
    expect(doubts(loop("%r4"))).toEqual([]);
  });
  it("draws nothing where a branch asks which lanes are together", () => {
    const asked = (inside: string) => around("setp.ge.u32 %p1, %r3, 16;", inside);
    expect(doubts(asked(`activemask.b32 %r5; setp.ne.u32 %p2, %r5, -1; @%p2 bra join; ${shuffle("-1")}`))).toEqual([]);
  });
  it("says which lanes stay away, and the mask to take", () => {
    const text = `.version 8.0\n.target sm_80\n.entry k() { .reg .pred %p; .reg .b32 %r<3>; mov.u32 %r1, %laneid; setp.ge.u32 %p, %r1, 8; @%p bra on; shfl.sync.up.b32 %r2, %r1, 1, 0, -1; on: membar.cta; ret; }`;
    expect(lint(text)).toMatchObject([
      {
        message: "shfl.sync.up.b32 waits for all lanes of 0xffffffff, and lanes 0xffffff00 do not reach it",
        related: [{ message: "threads diverge here" }],
        help: [{ message: "take 0x000000ff as the membermask" }],
      },
    ]);
  });
});

describe("what a whole warp executes, in a part of it", () => {
  const matrix = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [s];";
  it.each([
    ["lanes", "setp.ge.u32 %p1, %r3, 16;", matrix, "PTX9103 ldmatrix.sync.aligned.m8n8.x1.shared.b16"],
    [
      "one lane that was elected",
      "elect.sync %r4|%p2, -1; not.pred %p1, %p2;",
      matrix,
      "PTX9103 ldmatrix.sync.aligned.m8n8.x1.shared.b16",
    ],
    ["a counted barrier", "setp.ge.u32 %p1, %r3, 16;", "bar.sync 1, 64;", "PTX9103 bar.sync"],
    [
      "a cluster's barrier",
      "setp.ge.u32 %p1, %r3, 16;",
      "barrier.cluster.arrive.aligned;",
      "PTX9103 barrier.cluster.arrive.aligned;",
    ],
  ])("draws PTX9103: %s", (_, condition, inside, said) => {
    expect(doubts(around(condition, inside))).toEqual([said]);
  });
  it.each([
    ["a warp", "setp.ge.u32 %p1, %r2, 32;", matrix],
    ["a barrier that is not aligned", "setp.ge.u32 %p1, %r3, 16;", "barrier.sync 1, 64;"],
  ])("draws nothing: %s", (_, condition, inside) => {
    expect(doubts(around(condition, inside))).toEqual([]);
  });
  it("draws it for both of two barriers, though each lane comes to one and leaves then", () => {
    const both = "setp.ge.u32 %p1, %r3, 16; @%p1 bra high; bar.sync 0; ret; high: bar.sync 0; ret;";
    expect(doubts(both)).toEqual(["PTX9103 bar.sync", "PTX9103 bar.sync"]);
  });
});

describe("a vector of registers wider than its elements", () => {
  it.each([
    ["ld.global.v2.b32 {%rd3, %rd4}, [%rd1];", ["PTX9104 ld.global.v2.b32"]],
    ["st.global.v2.u32 [%rd1], {%rd3, %rd4};", ["PTX9104 st.global.v2.u32"]],
    ["ld.global.v4.u16 {%r4, %r5, %r6, %r7}, [%rd1];", ["PTX9104 ld.global.v4.u16"]],
    ["ld.global.v2.b64 {%rd3, %rd4}, [%rd1];", []],
    ["ld.global.v4.u8 {%r4, %r5, %r6, %r7}, [%rd1];", []],
    ["ld.global.u32 %rd3, [%rd1];", []],
  ])("%s", (body, said) => {
    expect(doubts(body)).toEqual(said);
  });
  it("says how many bytes move, and what would move all", () => {
    const text =
      ".version 8.0\n.target sm_80\n.entry k() { .reg .b64 %a<4>; ld.global.v2.b32 {%a1, %a2}, [%a3]; ret; }";
    expect(lint(text).filter(({ code }) => code === "PTX9104")).toMatchObject([
      {
        message: "%a1 has 64 bits and gets 32; ld.global.v2.b32 moves 8 bytes",
        help: [
          {
            message: "write ld.global.v2.b64 to move all of their bits",
            replace: { span: { start: 57, end: 73 }, text: "ld.global.v2.b64" },
          },
        ],
      },
    ]);
  });
});

describe("deprecated forms", () => {
  const old = { target: "sm_60", version: "6.3" };
  it.each([
    ["shfl.up.b32 %r4, %r2, 1, 0;", "PTX9105 shfl.up.b32"],
    ["setp.eq.u32 %p1, %r2, 0; vote.all.pred %p2, %p1;", "PTX9105 vote.all.pred"],
    ["setp.eq.u32 %p1, %r2, 0; vote.ballot.b32 %r4, %p1;", "PTX9105 vote.ballot.b32"],
  ])("%s", (body, said) => {
    expect(doubts(body, old)).toEqual([said]);
  });
  it("are not those in their place", () => {
    expect(doubts("shfl.sync.up.b32 %r4, %r2, 1, 0, -1;", old)).toEqual([]);
  });
});

describe("a scope too narrow for a flag between blocks", () => {
  const flag = { before: ".global .u32 flag;" };
  const poll = (load: string, behind = "") =>
    `mov.u32 %r4, %ctaid.x; again: ${load} %r5, [flag]; setp.eq.u32 %p1, %r5, 0; @%p1 bra again; ${behind} st.global.u32 [%rd1], %r4;`;
  it.each([
    ["the load that polls", poll("ld.acquire.cta.global.u32"), ["PTX9106 ld.acquire.cta.global.u32"]],
    ["the fence behind it", poll("ld.relaxed.gpu.global.u32", "fence.acq_rel.cta;"), ["PTX9106 fence.acq_rel.cta;"]],
    ["the same of old", poll("ld.volatile.global.u32", "membar.cta;"), ["PTX9106 membar.cta;"]],
    [
      "the store elsewhere",
      `${poll("ld.acquire.gpu.global.u32")} st.release.cta.global.u32 [flag], 1;`,
      ["PTX9106 st.release.cta.global.u32"],
    ],
    [
      "the fence before a store",
      `${poll("ld.acquire.gpu.global.u32")} fence.acq_rel.cta; st.relaxed.gpu.global.u32 [flag], 1;`,
      ["PTX9106 fence.acq_rel.cta;"],
    ],
    [
      "a lock",
      "mov.u32 %r4, %ctaid.x; again: atom.acquire.cta.global.cas.b32 %r5, [flag], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra again;",
      ["PTX9106 atom.acquire.cta.global.cas.b32"],
    ],
  ])("%s", (_, body, said) => {
    expect(doubts(body, flag)).toEqual(said);
  });
  it.each([
    ["wide enough", poll("ld.acquire.gpu.global.u32")],
    ["wide fences", poll("ld.relaxed.gpu.global.u32", "fence.acq_rel.gpu;")],
    ["a fence for something else", `${poll("ld.acquire.gpu.global.u32", "fence.acq_rel.cta;")}`],
    ["a kernel that does not ask for its block", poll("ld.acquire.cta.global.u32").replace("%ctaid.x", "5")],
    [
      "a flag of each block",
      poll("ld.acquire.cta.global.u32")
        .replace("again:", "mad.wide.u32 %rd3, %r4, 4, %rd1; again:")
        .replace("[flag]", "[%rd3]"),
    ],
    ["a flag in shared memory", poll("ld.acquire.cta.shared.u32").replace("[flag]", "[s]")],
    [
      "a flag in shared memory, by a generic address",
      poll("ld.acquire.cta.u32")
        .replace("again:", "mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; again:")
        .replace("[flag]", "[%rd4]"),
    ],
    ["nobody polls", "mov.u32 %r4, %ctaid.x; ld.acquire.cta.global.u32 %r5, [flag]; fence.acq_rel.cta;"],
  ])("draws nothing: %s", (_, body) => {
    expect(doubts(body, flag)).toEqual([]);
  });
});

describe("bytes of the parameters", () => {
  it.each([
    ["by name", "ld.param.u32 %r4, [n+4];", ["PTX4051 ld.param.u32"]],
    ["by a register", "mov.b64 %rd3, n; ld.param.u32 %r4, [%rd3+4];", ["PTX9107 ld.param.u32"]],
    ["half of what is read", "mov.b64 %rd3, n; ld.param.u64 %rd4, [%rd3];", ["PTX9107 ld.param.u64"]],
    ["within", "mov.b64 %rd3, data; ld.param.u32 %r4, [%rd3+8];", []],
    ["at an index", "mov.b64 %rd3, data; mad.wide.u32 %rd4, %r2, 4, %rd3; ld.param.u32 %r4, [%rd4];", []],
  ])("%s", (_, body, said) => {
    expect(doubts(body)).toEqual(said);
  });
});

describe("a register that is read and never written", () => {
  it.each([
    ["arithmetic", "add.f32 %f2, %f3, 0f3F800000; st.global.f32 [%rd2], %f2;", ["PTX9108 %f3"]],
    ["once for each register", "add.s32 %r4, %r5, %r5; add.s32 %r6, %r5, %r7;", ["PTX9108 %r5", "PTX9108 %r7"]],
    ["whose name begins like another's", "add.s32 %r4, %r2, 1; add.s32 %r5, %r10, %r1;", ["PTX9108 %r10"]],
    ["an address", "st.global.f32 [%rd5], 0f00000000;", ["PTX9108 %rd5"]],
    ["a guard", "@!%p3 st.global.u32 [%rd1], 5;", ["PTX9108 %p3"]],
    ["what is stored", "st.global.b32 [%rd1], %r7;", ["PTX9108 %r7"]],
    ["what other lanes get", "shfl.sync.bfly.b32 %r9, %r8, 1, 31, -1;", ["PTX9108 %r8"]],
    [
      "an element of a fragment",
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r5}, {%r1}, {%r2}, {%r6, %r1};",
      ["PTX9108 %r6"],
    ],
    [
      "one of an inner block, whose name is written outside",
      "mov.u32 %r4, 1; { .reg .u32 %r4; add.s32 %r5, %r4, %r4; }",
      ["PTX9108 %r4"],
    ],
    ["written under a predicate", "setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r4, 5; add.s32 %r5, %r4, 1;", []],
    [
      "written later, in a loop",
      "mov.u32 %r6, 0; again: add.s32 %r6, %r6, %r5; mov.u32 %r5, 1; setp.lt.u32 %p1, %r6, 9; @%p1 bra again;",
      [],
    ],
    ["written by a call", "call (%r4), f, (%r1, %r2); add.s32 %r5, %r4, 1;", []],
    ["the fourth of a vector of three", "mov.f32 %f1, 0f00000000; st.global.v4.f32 [%rd1], {%f1, %f1, %f1, %f2};", []],
    ["bytes beside others", "bfi.b32 %r4, %r1, %r5, 0, 8; prmt.b32 %r6, %r4, %r7, 0x3340;", []],
    ["the byte of an empty class", "{ .param .b8 e[1]; st.param.b8 [e], %r5; call g, (e); }", []],
    ["one that a compiler leaves undefined", "// implicit-def: %r5\nadd.s32 %r4, %r5, 1;", []],
  ])("%s", (_, body, said) => {
    const before =
      ".func (.reg .u32 s) f(.reg .u32 x, .reg .u32 y) { add.s32 s, x, y; ret; }\n.func g(.param .b8 e[1]) { ret; }";
    expect(doubts(body, { before })).toEqual(said);
  });
  const helpOf = (body: string) => {
    const text = `.version 8.0\n.target sm_80\n.entry k() {\n.reg .f32 %f<9>, sum, sun, tail;\n.reg .b32 %r<9>;\n${body}\nret; }`;
    return lint(text).flatMap(({ code, help }) => (code === "PTX9108" ? (help ?? []) : []));
  };
  it.each([
    [
      "mov.f32 %f3, 1.0;\nadd.f32 %f1, %f4, 1.0;",
      "did you mean %f3, which is written on line 6 and never read?",
      "%f3",
    ],
    [
      "mov.f32 %f3, 1.0;\nmov.f32 sun, 1.0;\nadd.f32 %f1, sum, 1.0;",
      "did you mean sun, which is written on line 7 and never read?",
      "sun",
    ],
    ["mov.b32 %r3, 1;\nadd.f32 %f1, %f4, 1.0;", "write %f4 first: in a run it is 0, on a GPU anything", undefined],
    ["add.f32 %f1, %f4, 1.0;\nmov.f32 %f3, 1.0;", "write %f4 first: in a run it is 0, on a GPU anything", undefined],
    ["mov.f32 %f3, 1.0;\nadd.f32 %f1, %f4, %f3;", "write %f4 first: in a run it is 0, on a GPU anything", undefined],
  ])("after %j: %s", (body, message, meant) => {
    const [help] = helpOf(body);
    expect([help?.message, help?.replace?.text]).toEqual([message, meant]);
  });
});

describe("snippets", () => {
  it("are doubted like kernels, and their inputs are not guessed", () => {
    expect(lint(".reg .b64 x, y, a; ld.global.v2.b32 {x, y}, [a];").map(({ code }) => code)).toContain("PTX9104");
    expect(lint("setp.lt.u32 p, a, b; @p bra on; bar.sync 0; on: membar.cta; add.u32 c, a, b;")).toEqual([]);
  });
});
