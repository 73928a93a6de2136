import { describe, expect, it } from "vitest";
import { Device, lint } from "../../../src/index.ts";

const text = (header: string, instructions: string): string =>
  `${header}\n.address_size 64\n.entry k() { .reg .b32 r; .reg .b64 l; .reg .pred p; ${instructions} ret; }`;
const OLD = ".version 8.0\n.target sm_80";
const ELECT = "elect.sync _|p, -1;";
const WGMMA = "wgmma.fence.sync.aligned;";
const TCGEN = "tcgen05.fence::before_thread_sync;";

const noteOf = (source: string, options?: Parameters<typeof lint>[1]) =>
  lint(source, options).find(({ code }) => code === "PTX9022");

/** The text with every replacement of its note made, the last first. */
function mended(source: string): string {
  const replacements = (noteOf(source)?.help ?? []).flatMap(({ replace }) => replace ?? []);
  return replacements
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((made, { span, text }) => made.slice(0, span.start) + text + made.slice(span.end), source);
}

describe("a header that is too old in several places", () => {
  it("counts which need which, and names the least target that has all", () => {
    const source = text(OLD, `${ELECT} ${WGMMA} mov.u32 r, %cluster_ctarank; setmaxnreg.inc.sync.aligned.u32 240;`);
    expect(noteOf(source)).toMatchObject({
      severity: "note",
      message: "2 places need sm_90, 2 need sm_90a",
      expected: ".target sm_90a, which has all of it",
      help: [{ message: "write .target sm_90a" }],
    });
    expect(lint(mended(source))).toEqual([]);
  });

  it("names a version that has all, and the target as well where that is too old", () => {
    const source = text(".version 7.0\n.target sm_80", `${ELECT} ${WGMMA}`);
    expect(noteOf(source)).toMatchObject({ expected: ".target sm_90a and .version 8.0, which has all of it" });
    expect(lint(mended(source))).toEqual([]);
    const young = text(".version 7.8\n.target sm_90", "setmaxnreg.inc.sync.aligned.u32 240; add.u16x2 r, r, r;");
    expect(noteOf(young)).toMatchObject({ message: "1 place needs sm_90a, 1 needs PTX 8.0" });
    const version = text(".version 7.8\n.target sm_90", "add.u16x2 r, r, r; add.s16x2 r, r, r;");
    expect(noteOf(version)).toMatchObject({
      message: "2 places need PTX 8.0",
      expected: ".version 8.0, which has all of it",
    });
    expect(lint(mended(version))).toEqual([]);
  });

  it("counts what declarations need", () => {
    const source = `${OLD}\n.address_size 64\n.entry k() .maxclusterrank 4 { .reg .pred p; ${ELECT} ret; }`;
    expect(noteOf(source)).toMatchObject({ message: "2 places need sm_90" });
    expect(lint(mended(source))).toEqual([]);
  });

  it("names no target that has lost what the text uses", () => {
    const source = text(".version 6.3\n.target sm_30", "shfl.idx.b32 r, r, 0, 31; fence.sc.cta; fence.sc.gpu;");
    expect(noteOf(source)).toMatchObject({ message: "2 places need sm_70", expected: /^several texts/ });
    expect(noteOf(source.replace("6.3", "6.4"))?.help).toEqual([]);
  });

  it("says where no target has all of it", () => {
    expect(noteOf(text(OLD, `${WGMMA} ${TCGEN}`))).toMatchObject({
      message: "1 place needs sm_90a, 1 needs sm_100f",
      expected: "several texts: no target has all of it",
      help: [],
    });
  });

  it("is silent for one place, and has no replacement where --target counts", () => {
    expect(noteOf(text(OLD, ELECT))).toBeUndefined();
    const given = noteOf(text(".version 8.0\n.target sm_90", `${ELECT} ${ELECT}`), { target: "sm_80", override: true });
    expect(given?.help).toEqual([{ message: "give --target sm_90" }]);
  });

  it("is told of a kernel that is loaded to run", () => {
    const module = new Device().module({ name: "k.ptx", text: text(OLD, `${ELECT} ${WGMMA}`) }).value;
    expect(module?.kernel("k").diagnostics.map(({ code }) => code)).toEqual(["PTX1212", "PTX1212", "PTX9022"]);
  });
});
