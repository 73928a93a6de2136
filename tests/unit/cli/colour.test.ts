import { describe, expect, it } from "vitest";
import { palette } from "../../../src/environment/colour.ts";
import { World } from "./world.ts";

const streams = { terminal: { out: true, err: true }, env: {} } as unknown as Parameters<typeof palette>[2];
const { error, strong, faint, good } = palette("always", "out", streams);
const visible = (text: string): string => text.replaceAll("\u001b[", "<").replaceAll(/<(\d+)m/g, "<$1>");

it("writes in colours", () => {
  expect(visible(error("no"))).toBe("<1><31>no<39><22>");
  expect(visible(good("yes"))).toBe("<32>yes<39>");
  expect(faint("")).toBe("");
});

it("goes on after what is written otherwise within", () => {
  expect(visible(error(`a${good("b")}c`))).toBe("<1><31>a<32>b<39><31>c<39><22>");
  expect(visible(strong(`a${faint("b")}c`))).toBe("<1>a<2>b<22><1>c<22>");
});

it("leaves no line in a colour", () => {
  expect(visible(good("a\r\nb\nc"))).toBe("<32>a<39>\r\n<32>b<39>\n<32>c<39>");
});

describe("links", () => {
  const files = { resolve: (path: string) => `/home/a b/${path}` };
  const linked = (env: object, choice: "auto" | "never" = "auto", out = true) =>
    palette(choice, "out", { terminal: { out, err: true }, env, files } as unknown as Parameters<
      typeof palette
    >[2]).link("k.ptx:3:1", { file: "k.ptx", line: 3 });
  const LINK = "\u001b]8;;file:///home/a%20b/k.ptx#3\u001b\\k.ptx:3:1\u001b]8;;\u001b\\";

  it.each([
    { TERM: "xterm-kitty" },
    { TERM_PROGRAM: "vscode" },
    { VTE_VERSION: "7200" },
    { WT_SESSION: "x" },
    { KONSOLE_VERSION: "230400" },
    { FORCE_HYPERLINK: "1", NO_COLOR: "1" },
  ])("are written at a terminal that shows them: %j", (env) => expect(linked(env)).toBe(LINK));

  it.each([
    {},
    { TERM: "xterm-256color" },
    { VTE_VERSION: "4600" },
    { TERM: "xterm-kitty", NO_COLOR: "1" },
    { TERM: "xterm-kitty", CI: "true" },
    { TERM: "xterm-kitty", FORCE_HYPERLINK: "0" },
  ])("are not written at another: %j", (env) => expect(linked(env)).toBe("k.ptx:3:1"));

  it("are not written to a pipe, or without colours, but where they are asked for", () => {
    const kitty = { TERM: "xterm-kitty" };
    expect([linked(kitty, "never"), linked(kitty, "auto", false)]).toEqual(["k.ptx:3:1", "k.ptx:3:1"]);
    expect(linked({ FORCE_HYPERLINK: "1" }, "never", false)).toBe(LINK);
  });

  it("lead from a message to its file and to the manual, and from a check to its file", async () => {
    const world = new World().write("k.ptx", "//@ case one: a=1 b=1 -> d=3\nadd.rz.f16 d, a, b;\n");
    const env = { FORCE_HYPERLINK: "1" };
    const { err } = await world.ptxrun(["lint", "k.ptx"], { env });
    const manual =
      "https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-add";
    expect(err).toContain(`\u001b]8;;${manual}\u001b\\PTX1203\u001b]8;;\u001b\\: `);
    expect(err).toContain(`\u001b]8;;file://${world.folder}/k.ptx#2\u001b\\k.ptx:2:4\u001b]8;;`);
    const { out } = await world.ptxrun(["check", "k.ptx"], { env });
    expect(out).toContain(`FAIL  \u001b]8;;file://${world.folder}/k.ptx#1\u001b\\k.ptx\u001b]8;;`);
    const { err: typed } = await world.ptxrun(["-e", "add.rz.f16 d, a, b;"], { env });
    expect(typed).toContain("--> -e:1:4\n");
    world.remove();
  });
});
