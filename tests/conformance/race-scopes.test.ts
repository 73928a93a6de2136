import { describe, expect, it } from "vitest";
import { Device, must } from "../../src/index.ts";
import { share } from "../share.ts";

/** Threads that take part, by number of block and index in it; blocks 0 and 1 are a cluster, 2 and 3 another. */
type Thread = readonly [block: number, index: number];

const places = {
  "two warps of a block": [
    [0, 0],
    [0, 32],
  ],
  "two blocks of a cluster": [
    [0, 0],
    [1, 0],
  ],
  "two clusters": [
    [1, 0],
    [2, 0],
  ],
} as const satisfies Record<string, readonly Thread[]>;
type Place = keyof typeof places;

/** What each thread executes; %x, %y and %flag are addresses of words of their own. The instructions and messages of what is found. */
function races(bodies: readonly string[], threads: readonly Thread[]): string[] {
  const dispatch = threads.map(
    ([block, index], at) => `setp.eq.u32 %p, %here, ${block * 1024 + index}; @%p bra T${at};`,
  );
  const text = `.version 9.0
.target sm_100a
.address_size 64
.global .align 8 .b32 data[24];
.visible .entry k() .reqnctapercluster 2 {
  .reg .pred %p; .reg .b32 %here, %r<8>; .reg .b16 %h<4>; .reg .b64 %x, %y, %flag, %rd<4>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %here, %r1, 1024, %r2;
  mov.u64 %x, data; add.u64 %y, %x, 32; add.u64 %flag, %x, 64;
  ${dispatch.join("\n  ")}
  ret;
${bodies.map((body, at) => `T${at}: { ${body} ret; }`).join("\n")}
}`;
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const { stop, findings } = must(
    kernel.launch({ grid: 4, block: 64, args: [], sanitize: { mem: true, init: false, race: true } }),
  );
  expect(stop.reason).toBe("exit");
  expect(findings.every(({ code }) => code === "PTX4002")).toBe(true);
  const opcode = (at: number): string =>
    text
      .slice(at)
      .replace(/^@\S+ /, "")
      .split(" ")[0]!;
  return findings.map(
    ({ message, span, related = [] }) =>
      `${[span, ...related.map((each) => each.span)].map(({ start }) => opcode(start)).join(", ")}: ${message}`,
  );
}

const scopes = ["cta", "cluster", "gpu", "sys"] as const;
type Scope = (typeof scopes)[number];
const reach: Readonly<Record<Scope, number>> = { cta: 0, cluster: 1, gpu: 2, sys: 2 };
const needed: Readonly<Record<Place, number>> = {
  "two warps of a block": 0,
  "two blocks of a cluster": 1,
  "two clusters": 2,
};
/** True when both scopes include a thread at that distance. */
const wide = (place: Place, ...both: readonly Scope[]): boolean => both.every((scope) => reach[scope] >= needed[place]);

const pairs = scopes.flatMap((first) => scopes.map((second) => [first, second] as const));
const wait = (load: string, until = 1): string =>
  `WAIT: ${load} %r3, [%flag]; setp.lt.u32 %p, %r3, ${until}; @%p bra WAIT;`;

describe.each(Object.keys(places) as Place[])("strong accesses by %s", (place) => {
  it.each(share(pairs, 3))("with .%s and .%s race unless each scope includes the other", (first, second) => {
    const updates = races(
      [`red.relaxed.${first}.global.add.u32 [%x], 1;`, `red.relaxed.${second}.global.add.u32 [%x], 1;`],
      places[place],
    );
    expect(updates).toHaveLength(wide(place, first, second) ? 0 : 1);
    const both = races(
      [`st.relaxed.${first}.global.u32 [%x], 1;`, `ld.relaxed.${second}.global.u32 %r1, [%x];`],
      places[place],
    );
    expect(both).toHaveLength(wide(place, first, second) ? 0 : 1);
  });

  it("race with weak ones in any case, and never where the scope is that of the whole device", () => {
    expect(races(["red.global.add.u32 [%x], 1;", "st.global.u32 [%x], 1;"], places[place])).toHaveLength(1);
    expect(races(["red.global.add.u32 [%x], 1;", "ld.global.u32 %r1, [%x];"], places[place])).toHaveLength(1);
    expect(races(["red.global.add.u32 [%x], 1;", "st.volatile.global.u32 [%x], 1;"], places[place])).toEqual([]);
    expect(
      races(["st.mmio.relaxed.sys.global.u32 [%x], 1;", "ld.volatile.global.u32 %r1, [%x];"], places[place]),
    ).toEqual([]);
  });
});

describe.each(Object.keys(places) as Place[])("message passing between %s", (place) => {
  it.each(share(pairs, 3))(
    "is in order by st.release.%s and ld.acquire.%s unless one leaves the other out",
    (first, second) => {
      const found = races(
        [
          `st.global.u32 [%x], 7; st.release.${first}.global.u32 [%flag], 1;`,
          `${wait(`ld.acquire.${second}.global.u32`)} ld.global.u32 %r1, [%x];`,
        ],
        places[place],
      );
      // The data, and the flag itself.
      expect(found).toHaveLength(wide(place, first, second) ? 0 : 2);
    },
  );

  it.each(share(pairs, 3))(
    "is in order by fence.acq_rel.%s and fence.acq_rel.%s unless one leaves the other out",
    (first, second) => {
      const found = races(
        [
          `st.global.u32 [%x], 7; fence.acq_rel.${first}; st.relaxed.gpu.global.u32 [%flag], 1;`,
          `${wait("ld.relaxed.gpu.global.u32")} fence.acq_rel.${second}; ld.global.u32 %r1, [%x];`,
        ],
        places[place],
      );
      expect(found).toHaveLength(wide(place, first, second) ? 0 : 1);
    },
  );

  it.each(share(pairs, 3))(
    "is in order by atom.release.%s and atom.acquire.%s unless one leaves the other out",
    (first, second) => {
      const found = races(
        [
          `st.global.u32 [%x], 7; atom.release.${first}.global.exch.b32 %r1, [%flag], 1;`,
          `WAIT: atom.acquire.${second}.global.or.b32 %r3, [%flag], 0; setp.lt.u32 %p, %r3, 1; @%p bra WAIT;
         ld.global.u32 %r1, [%x];`,
        ],
        places[place],
      );
      expect(found).toHaveLength(wide(place, first, second) ? 0 : 2);
    },
  );
});

describe("a release", () => {
  const apart = places["two clusters"];
  const reads = `${wait("ld.acquire.gpu.global.u32")} ld.global.u32 %r1, [%x]; ld.global.u32 %r1, [%y];`;

  it("by a fence reaches as far as that fence, whatever fences follow", () => {
    const writes = (between: string): string =>
      `st.global.u32 [%x], 1; fence.acq_rel.gpu; ${between} fence.acq_rel.cta; st.relaxed.gpu.global.u32 [%flag], 1;`;
    expect(races([writes(""), reads], apart)).toEqual([]);
    const found = races([writes("st.global.u32 [%y], 1;"), reads], apart);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^ld.global.u32, st.global.u32: .* reads global data\[\d\] .* thread \(0,0,0\) of block \(1,0,0\) writes it/,
    );
  });

  it("is acquired by a wide fence behind a narrow one", () => {
    const writes = "st.global.u32 [%x], 1; st.release.gpu.global.u32 [%flag], 1;";
    const loads = (fence: string): string => `${wait("ld.relaxed.gpu.global.u32")} ${fence} ld.global.u32 %r1, [%x];`;
    expect(races([writes, loads("fence.acq_rel.cta; fence.acq_rel.gpu;")], apart)).toEqual([]);
    expect(races([writes, loads("fence.acq_rel.cta; fence.acq_rel.cluster;")], apart)).toHaveLength(1);
  });

  it("goes on in the thread's next strong store to the flag", () => {
    const writes = (next: string): string =>
      `st.global.u32 [%x], 1; st.release.gpu.global.u32 [%flag], 1; ${next} [%flag], 2;`;
    const last = `${wait("ld.acquire.gpu.global.u32", 2)} ld.global.u32 %r1, [%x];`;
    expect(races([writes("st.relaxed.gpu.global.u32"), last], apart)).toEqual([]);
    // A weak one has no scope: it races with the load of the flag, and releases nothing.
    expect(races([writes("st.global.u32"), last], apart)).toHaveLength(2);
  });

  it("of one byte is not acquired by a load of its neighbour", () => {
    const writes = "st.global.u32 [%x], 1; st.release.gpu.global.u8 [%flag], 1; st.relaxed.gpu.global.u32 [%y], 1;";
    const last = (
      at: string,
    ): string => `WAIT: ld.relaxed.gpu.global.u32 %r3, [%y]; setp.lt.u32 %p, %r3, 1; @%p bra WAIT;
      ld.acquire.gpu.global.u8 %h1, [${at}]; ld.global.u32 %r1, [%x];`;
    expect(races([writes, last("%flag")], apart)).toEqual([]);
    expect(races([writes, last("%flag+1")], apart)).toHaveLength(1);
  });

  // The second thread tells by %y, which releases nothing, that its turn is over; the third one looks at the flag once.
  const writes = "st.global.u32 [%x], 1; st.release.gpu.global.u32 [%flag], 1;";
  const passes = (update: string): string =>
    `${wait("ld.relaxed.gpu.global.u32")} ${update} st.relaxed.gpu.global.u32 [%y], 1;`;
  const last = (load: string): string =>
    `WAIT: ld.relaxed.gpu.global.u32 %r3, [%y]; setp.lt.u32 %p, %r3, 1; @%p bra WAIT;
     ${load} %r3, [%flag]; ld.global.u32 %r1, [%x];`;
  const three = (update: string, load: string, third: Thread = [1, 0]): string[] =>
    races([writes, passes(update), last(load)], [[0, 0], [2, 0], third]); // biome-ignore format: threads

  it("does not go on in another thread's store to the flag", () => {
    expect(three("st.relaxed.gpu.global.u32 [%flag], 2;", "ld.acquire.gpu.global.u32")).toHaveLength(1);
    expect(three("", "ld.acquire.gpu.global.u32")).toEqual([]);
  });

  it("goes on through another thread's atomic", () => {
    const update = "red.relaxed.gpu.global.add.u32 [%flag], 1;";
    expect(three(update, "ld.acquire.gpu.global.u32")).toEqual([]);
    // The last thread is in the first one's cluster, but it observes the second one's store.
    const found = three(update, "ld.acquire.cluster.global.u32");
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^ld.acquire.cluster.global.u32, red/);
    expect(found[1]).toMatch(/^ld.global.u32, /);
  });

  it("is not acquired from afar by a scope that includes only the atomic's thread", () => {
    const update = "red.relaxed.gpu.global.add.u32 [%flag], 1;";
    expect(three(update, "ld.acquire.gpu.global.u32", [2, 32])).toEqual([]);
    const found = three(update, "ld.acquire.cta.global.u32", [2, 32]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^ld.global.u32, .* while thread \(0,0,0\) of block \(0,0,0\)/);
  });

  it("ends at an atomic whose scope leaves out the releasing thread", () => {
    const found = three("red.relaxed.cta.global.add.u32 [%flag], 1;", "ld.acquire.gpu.global.u32");
    expect(found.some((message) => message.startsWith("ld.global.u32, "))).toBe(true);
  });

  it("of one byte is left alone by a store to its neighbour", () => {
    const writes = "st.global.u32 [%x], 1; st.release.gpu.global.u8 [%flag], 1; st.relaxed.gpu.global.u8 [%flag+1], 1;";
    const last = `WAIT: ld.acquire.gpu.global.u8 %h1, [%flag]; setp.eq.u16 %p, %h1, 0; @%p bra WAIT; ld.global.u32 %r1, [%x];`;
    const other = "st.relaxed.gpu.global.u8 [%flag+2], 1;";
    expect(races([writes, other, last], [[0, 0], [1, 0], [3, 0]])).toEqual([]); // biome-ignore format: threads
  });
});

it("red acquires nothing, not with a fence behind it; atom does", () => {
  const writes = "st.global.u32 [%x], 42; st.release.gpu.global.u32 [%flag], 1;";
  const spin = `WAIT: ld.relaxed.gpu.global.u32 %r3, [%y]; setp.eq.u32 %p, %r3, 0; @%p bra WAIT;`;
  const after = (update: string): string => `${update} fence.acq_rel.gpu; ld.global.u32 %r1, [%x];`;
  const threads: readonly Thread[] = places["two clusters"];
  // The delay goes by a word that releases nothing.
  const first = `${writes} st.relaxed.gpu.global.u32 [%y], 1;`;
  expect(races([first, `${spin} ${after("atom.relaxed.sys.global.add.u32 %r4, [%flag], 1;")}`], threads)).toEqual([]);
  expect(races([first, `${spin} ${after("red.relaxed.sys.global.add.u32 [%flag], 1;")}`], threads)).toHaveLength(1);
});

it("a scope that is too narrow is named, with one that would do", () => {
  const device = new Device();
  const text = `.version 9.0
.target sm_90
.address_size 64
.global .b32 x;
.visible .entry k() { red.relaxed.cta.global.add.u32 [x], 1; ret; }`;
  const launch = { grid: 2, block: 1, args: [], sanitize: { mem: true, init: false, race: true } };
  const { findings } = must(must(must(device.module(text)).kernel("k")).launch(launch));
  expect(findings.map(({ message }) => message)).toEqual([
    "thread (0,0,0) of block (1,0,0) updates global x on line 5, and so does thread (0,0,0) of block (0,0,0): .cta does not include another block",
  ]);
  expect(findings[0]?.help?.[0]?.message).toBe("give both the scope .gpu");
  const found = races(
    ["red.relaxed.cluster.global.add.u32 [%x], 1;", "red.global.add.u32 [%x], 1;"],
    places["two clusters"],
  );
  expect(found[0]).toContain(": .cluster does not include a block of another cluster");
});

describe("the bytes of a word", () => {
  const apart = places["two warps of a block"];
  it.each([
    ["st.global.u8 [%x], %h1;", "st.global.u8 [%x+1], %h1;", 0],
    ["st.global.u8 [%x+1], %h1;", "ld.global.u16 %h2, [%x];", 1],
    ["st.global.u8 [%x+1], %h1;", "ld.global.u16 %h2, [%x+2];", 0],
    ["st.global.u8 [%x+3], %h1;", "ld.global.u32 %r1, [%x];", 1],
    ["st.global.u8 [%x+3], %h1;", "ld.global.u32 %r1, [%x+4];", 0],
    ["st.global.u8 [%x+7], %h1;", "ld.global.u64 %rd1, [%x];", 1],
    ["st.global.u64 [%x], %rd1;", "st.global.u16 [%x+6], %h1;", 1],
    ["st.global.v4.u32 [%x], {%r1, %r1, %r1, %r1};", "ld.global.u8 %h1, [%x+15];", 1],
    ["st.global.v4.u32 [%x], {%r1, %r1, %r1, %r1};", "ld.global.u8 %h1, [%x+16];", 0],
    ["ld.global.u8 %h1, [%x+2];", "st.global.u8 [%x+2], %h1;", 1],
    ["ld.global.u8 %h1, [%x+2];", "st.global.u8 [%x+3], %h1;", 0],
  ])("%s and %s", (first, second, count) => {
    expect(races([first, second], apart)).toHaveLength(count);
  });

  it("are remembered where one of them is stored to again", () => {
    const twice = "st.global.u32 [%x], 7; st.global.u8 [%x], %h1;";
    expect(races([twice, "ld.global.u8 %h1, [%x+3];"], apart)[0]).toMatch(/^ld.global.u8, st.global.u32: /);
    expect(races([twice, "ld.global.u8 %h1, [%x];"], apart)[0]).toMatch(/^ld.global.u8, st.global.u8: /);
    const read = "ld.global.u32 %r1, [%x]; st.global.u8 [%x], %h1;";
    expect(races([read, "st.global.u8 [%x+3], %h1;"], apart)[0]).toMatch(/^st.global.u8, ld.global.u32: /);
  });
});

describe("loads that a later store races with", () => {
  /** Warp 3 reads first; the others some time later, and meet before thread 0 stores. */
  const text = (loads: string): string => `.version 8.0
.target sm_80
.address_size 64
.global .b32 x;
.visible .entry k() {
  .reg .pred %p, %q; .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x; setp.ge.u32 %p, %r1, 96; @%p bra EARLY;
  mov.u32 %r2, 0;
LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %q, %r2, 1000; @%q bra LOOP;
  ${loads}
  bar.sync 1, 96;
  setp.ne.u32 %p, %r1, 0; @%p ret;
  st.global.u32 [x], 1;
  ret;
EARLY: ld.volatile.global.u32 %r3, [x]; ret;
}`;
  const found = (loads: string, block: number): string[] => {
    const { findings } = must(
      must(must(new Device().module(text(loads))).kernel("k")).launch({
        block,
        args: [],
        sanitize: { mem: true, init: false, race: true },
      }),
    );
    return findings.map(({ message }) => message);
  };
  const load = "ld.global.u32 %r3, [x];";

  it.each([
    ["no other", "", 97],
    ["those of a thread's own", load, 97],
    ["those of three warps, in order with the store", load, 128],
    ["hundreds, in order with each other", load.repeat(5), 128],
  ])("are remembered beside %s", (_, loads, block) => {
    const messages = found(loads, block);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      / while thread \((9[6-9]|1[0-2]\d),0,0\) reads it on line \d+: no barrier orders them$/,
    );
  });

  it("are remembered of each of 64 warps", () => {
    // The first lane of each warp reads x. All but the first count themselves; the last one waits for them and stores.
    const text = `.version 8.0
.target sm_80
.address_size 64
.global .b32 x, count;
.visible .entry k() {
  .reg .pred %p; .reg .b32 %r<6>;
  mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; setp.ne.u32 %p, %r2, 0; @%p ret;
  ld.global.u32 %r3, [x];
  mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 1024, %r1; setp.eq.u32 %p, %r1, 0; @%p ret;
  red.release.gpu.global.add.u32 [count], 1;
  setp.ne.u32 %p, %r1, 2016; @%p ret;
WAIT: ld.acquire.gpu.global.u32 %r4, [count]; setp.lt.u32 %p, %r4, 63; @%p bra WAIT;
  st.global.u32 [x], 1;
  ret;
}`;
    const { findings } = must(
      must(must(new Device().module(text)).kernel("k")).launch({
        grid: 2,
        block: 1024,
        args: [],
        sanitize: { mem: true, init: false, race: true },
      }),
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain(" while thread (0,0,0) of block (0,0,0) reads it ");
  });
});
