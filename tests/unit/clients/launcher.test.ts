import { describe, expect, it } from "vitest";
import { type Asked, Launcher, type Outcome } from "../../../src/clients/launcher.ts";

const HEAD = ".version 7.5\n.target sm_35\n.address_size 64\n";
const STORE = `${HEAD}.visible .entry store(.param .u64 to, .param .u16 value) {
  .reg .b16 %h; .reg .b64 %d;
  ld.param.u64 %d, [to]; ld.param.u16 %h, [value]; st.global.u16 [%d], %h; ret;
}`;
const COUNT = `${HEAD}.global .u32 count = 7;
.visible .entry count_up(.param .u64 to) {
  .reg .b32 %r; .reg .b64 %d;
  ld.param.u64 %d, [to]; ld.global.u32 %r, [count]; add.s32 %r, %r, 1; st.global.u32 [count], %r; st.global.u32 [%d], %r; ret;
}
.visible .entry second() { ret; }`;
const LONG = `${HEAD}.visible .entry long() {
  .reg .pred %p; .reg .b32 %r;
  mov.u32 %r, 0;
again:
  add.s32 %r, %r, 1; setp.lt.s32 %p, %r, 0x7fffffff; @%p bra again;
  ret;
}`;

const BASE = 0x7e12_3456_7000n;

/** A launcher with 64 KiB of memory of a caller. */
function caller(rest: () => void = () => {}, onlyAnnounced = false) {
  const memory = new Uint8Array(1 << 16);
  const at = (address: bigint): number => Number(address - BASE);
  const launcher = new Launcher({
    supplier: {
      read(address, into) {
        if (at(address) < 0 || at(address) >= memory.length) return 0;
        const bytes = memory.subarray(at(address), at(address) + into.length);
        into.set(bytes);
        return bytes.length;
      },
      write: (address, bytes) => memory.set(bytes, at(address)),
    },
    print: () => {},
    now: () => performance.now(),
    rest,
    settings: { onlyAnnounced, stats: false, trace: false, problems: [] },
  });
  const launch = (text: string, args: readonly bigint[], more: Partial<Asked> = {}): Outcome =>
    launcher.launch({ text, args, block: [1, 1, 1], grid: [1, 1, 1], dynamicShared: 0, ...more });
  return { memory, launcher, launch, word: (offset: number) => new DataView(memory.buffer).getUint32(offset, true) };
}

const codes = ({ failure }: Outcome): string[] => failure.map(({ code }) => code);

describe("a launcher", () => {
  it("stores into its caller's memory, and cuts arguments to their parameters", () => {
    const { launch, memory } = caller();
    expect(launch(STORE, [BASE + 0x1002n, 0xffff_ffff_1234_5678n])).toEqual({
      kernel: "store",
      failure: [],
      findings: [],
    });
    expect([...memory.subarray(0x1000, 0x1006)]).toEqual([0, 0, 0x78, 0x56, 0, 0]);
  });

  it("runs the first kernel, with its variables as they are declared", () => {
    const { launch, word } = caller();
    for (let at = 0; at < 4; at++) {
      expect(launch(COUNT, [BASE + BigInt(4 * at)])).toMatchObject({ kernel: "count_up", failure: [] });
      expect(word(4 * at)).toBe(8);
    }
  });

  it("runs the kernel that is named, and each of a text by itself", () => {
    const { launch, word } = caller();
    const two = `${HEAD}${["one", "two"]
      .map(
        (name, at) =>
          `.visible .entry ${name}(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p]; st.global.u32 [%d], ${at + 1}; ret; }`,
      )
      .join("\n")}`;
    for (const [kernel, value] of [
      ["two", 2],
      ["one", 1],
      ["two", 2],
    ] as const) {
      expect(launch(two, [BASE], { kernel })).toMatchObject({ kernel, failure: [] });
      expect(word(0)).toBe(value);
    }
    expect(launch(two, [BASE])).toMatchObject({ kernel: "one" });
    const [wrong] = launch(two, [BASE], { kernel: "tow" }).failure;
    expect([wrong?.code, wrong?.message]).toEqual(["PTX2203", expect.stringContaining("tow")]);
  });

  it("says why nothing ran", () => {
    const { launch } = caller();
    expect(codes(launch(STORE, [BASE]))).toEqual(["PTX2205"]);
    expect(codes(launch(STORE, [BASE, 1n, 2n]))).toEqual(["PTX2202"]);
    expect(codes(launch(STORE, [BASE, 1n], { block: [0, 1, 1] }))).toEqual(["PTX2207"]);
    expect(codes(launch(STORE, [BASE, 1n], { dynamicShared: -1 }))).toEqual(["PTX2207"]);
    expect(codes(launch(HEAD, []))).toEqual(["PTX2203"]);
    expect(codes(launch(`${HEAD}.visible .entry k() { frobnicate.u32 %r1; ret; }`, []))).toEqual(["PTX1201"]);
    expect(codes(launch(STORE, [8n, 1n]))).toEqual(["PTX3002"]);
    expect(codes(launch(STORE, [BASE, 1n]))).toEqual([]);
  });

  it("runs what is newer than the target and version that a text names, and says so once", () => {
    const { launch, memory } = caller();
    const twice = (head: string): string => `${head}.visible .entry twice(.param .u64 to) {
  .reg .b16 %h; .reg .b64 %d;
  ld.param.u64 %d, [to]; ld.global.b16 %h, [%d]; add.f16 %h, %h, %h; tanh.approx.f16 %h, %h; st.global.b16 [%d], %h; ret;
}`;
    memory.set([0x00, 0x3c], 0x40);
    const old = launch(twice(".version 6.0\n.target sm_35\n.address_size 64\n"), [BASE + 0x40n]);
    expect(old.failure).toEqual([]);
    expect(old.findings.map(({ severity, message }) => [severity, message])).toEqual([
      ["warning", "add.f16 needs sm_53, the target is sm_35"],
    ]);
    expect(old.findings[0]?.help?.[0]?.message).toBe("it is run as if the text said .target sm_75 and .version 7.0");
    expect(memory[0x41]).toBe(0x3b);
    const again = launch(`${twice(HEAD)}// again`, [BASE + 0x40n]);
    expect([again.failure, again.findings]).toEqual([[], []]);
    // Whoever makes another mistake as well is told of both.
    const wrong = launch(twice(HEAD).replace("ret;", "frobnicate;"), [BASE]);
    expect(codes(wrong)).toEqual(["PTX1212", "PTX1212", "PTX1201"]);
  });

  it("keeps what was announced, however many devices it takes", () => {
    const { launch, launcher } = caller();
    launcher.announce(BASE, 4, "word");
    for (let round = 0; round < 3; round++) {
      expect(codes(launch(COUNT, [BASE]))).toEqual([]);
      expect(codes(launch(STORE, [BASE + 4n, 1n]))).toEqual(["PTX3002"]);
    }
    launcher.renounce(BASE);
    expect(codes(launch(COUNT, [BASE + 4n]))).toEqual([]);
  });

  it("lets nothing be touched that was not announced, where that is asked for", () => {
    const { launch, launcher } = caller(() => {}, true);
    const codesOf = (address: bigint) => [...codes(launch(STORE, [address, 1n])), ...codes(launch(COUNT, [address]))];
    expect(codesOf(BASE)).toEqual(["PTX3002", "PTX3002"]);
    launcher.announce(BASE, 4, "word");
    expect([codesOf(BASE), codesOf(BASE + 4n)]).toEqual([[], ["PTX3002", "PTX3002"]]);
    launcher.renounce(BASE);
    expect(codesOf(BASE)).toEqual(["PTX3002", "PTX3002"]);
  });

  it("takes more texts than it keeps", () => {
    const { launch, word } = caller();
    for (let text = 0; text < 300; text++) launch(`${STORE}// ${text}`, [BASE + 8n, BigInt(text)]);
    expect(word(8)).toBe(299);
  });

  it("rests while a launch is long, and ends there when it is told to", () => {
    let rests = 0;
    const { launch } = caller(() => {
      rests += 1;
      if (rests > 2) throw new Error("gone");
    });
    expect(() => launch(LONG, [])).toThrow("gone");
    expect(codes(launch(STORE, [BASE, 1n]))).toEqual([]);
  });
});
