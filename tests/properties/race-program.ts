const SIZES: Readonly<Record<string, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  "v2.u32": 8,
  "v4.u32": 16,
};

/**
 * A program whose threads load, store, update and meet in ways that are drawn; it has races, and much that only looks so. A calm
 * one has no fences, no meetings of some threads alone, and nothing that releases or acquires.
 */
export function raceProgram(below: (count: number) => number): string {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const lines: string[] = [];
  const calm = below(2) === 0;
  const mask = pick([1, 3, 7, 31, 63, 255]);
  let labels = 0;

  const address = (space: string, size: number): string => {
    const from = pick(["vtid", "vtid", "vgid", "vlane", "vcta"]);
    lines.push(`mad.lo.u32 %r1, %${from}, ${pick([0, 0, 1, 1, 2, 3, 5])}, ${pick([0, below(8)])};`);
    lines.push(`and.b32 %r1, %r1, ${mask}; mul.lo.u32 %r1, %r1, ${size};`);
    lines.push(space === "shared" ? "add.u32 %r2, %vs, %r1;" : "cvt.u64.u32 %rd2, %r1; add.u64 %rd3, %rd1, %rd2;");
    return space === "shared" ? "[%r2]" : "[%rd3]";
  };
  const guard = (): string => {
    if (below(3) > 0) return "";
    lines.push(`setp.${pick(["lt", "eq", "ge"])}.u32 %p1, ${pick(["%vtid", "%vlane", "%vcta"])}, ${below(40)};`);
    return pick(["@%p1 ", "@!%p1 "]);
  };
  const several = (type: string, one: string, wide: string): string =>
    type === "u64" ? wide : type.startsWith("v") ? `{${Array(Number(type[1])).fill(one).join(", ")}}` : one;
  const move = (does: "ld" | "st", strong: readonly string[]): void => {
    const space = pick(["shared", "global", "global"]);
    const type = pick(["u32", "u32", "u32", "u8", "u16", "u64", "v2.u32", "v4.u32"]);
    const at = address(space, SIZES[type]!);
    const head = `${guard()}${does}${type.startsWith("v") ? "" : pick(["", "", "", ...(calm ? ["", ".relaxed.gpu"] : strong)])}.${space}.${type}`;
    const targets = type.startsWith("v") ? `{%r4, %r5${type === "v4.u32" ? ", %r6, %r7" : ""}}` : "%r4";
    if (does === "ld") lines.push(`${head} ${type === "u64" ? "%rd5" : targets}, ${at};`);
    else lines.push(`${head} ${at}, ${several(type, pick(["%vtid", "%vone", "%vcta"]), "%rd1")};`);
  };
  const update = (): void => {
    const space = pick(["shared", "global", "global"]);
    const at = address(space, 4);
    const [sem, scope] = [
      calm ? ".relaxed" : pick([".relaxed", ".acquire", ".release", ".acq_rel"]),
      pick([".gpu", ".cta"]),
    ];
    lines.push(
      below(2) === 0
        ? `red.relaxed${scope}.${space}.add.u32 ${at}, 1;`
        : `${guard()}atom${sem}${scope}.${space}.add.u32 %r4, ${at}, 1;`,
    );
  };
  const apart = (condition: string, body: () => void): void => {
    const label = `L${labels++}`;
    lines.push(`setp.${condition};`, `@%p3 bra ${label};`);
    body();
    lines.push(`${label}:`);
  };
  const loop = (depth: number): void => {
    const label = `L${labels++}`;
    lines.push(`mov.u32 %c${depth}, 0;`, `${label}:`);
    block(depth + 1);
    lines.push(`add.u32 %c${depth}, %c${depth}, 1;`, `setp.lt.u32 %p4, %c${depth}, 3;`, `@%p4 bra ${label};`);
  };
  const block = (depth: number): void => {
    for (let count = 2 + below(6); count > 0; count--) {
      const drawn = below(14);
      const kind = calm && (drawn === 10 || drawn === 11) ? pick([0, 4, 8, 8]) : drawn;
      if (kind < 3) move("ld", [".relaxed.gpu", ".acquire.gpu", ".relaxed.cta"]);
      else if (kind < 6) move("st", [".relaxed.gpu", ".release.gpu", ".relaxed.cta", ".release.cta"]);
      else if (kind < 8) update();
      else if (kind === 8) lines.push("bar.sync 0;");
      else if (kind === 9) lines.push(pick(["bar.warp.sync -1;", "shfl.sync.bfly.b32 %r8, %r8, 1, 31, -1;"]));
      else if (kind === 10) lines.push(`fence.${pick(["acq_rel", "sc"])}.${pick(["cta", "gpu"])};`);
      else if (kind === 11) apart("ge.u32 %p3, %vtid, 32", () => lines.push("bar.warp.sync -1; bar.sync 1, 32;"));
      else if (kind === 12) apart(`eq.u32 %p3, %vcta, ${below(3)}`, () => move("st", []));
      else if (depth < 2) loop(depth);
    }
  };
  for (let part = 0; part < 3; part++) block(0);
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .b32 %r<10>, %c<4>; .reg .b32 %vtid, %vgid, %vlane, %vcta, %vone, %vs, %vn; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 16 .b8 s[4096];
ld.param.u64 %rd1, [out]; mov.u32 %vtid, %tid.x; mov.u32 %vcta, %ctaid.x; mov.u32 %vn, %ntid.x; mov.u32 %vs, s;
mad.lo.u32 %vgid, %vcta, %vn, %vtid; mov.u32 %vlane, %laneid; mov.u32 %vone, 1; mov.u32 %r8, 0;
${lines.join("\n")}
ret;
}`;
}

/**
 * A program whose threads keep to what is theirs, or wait for each other, and where accesses of each kind come again and again. It has
 * no race but in one place, in half of the programs.
 */
export function tidyProgram(below: (count: number) => number): string {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const lines: string[] = [];
  const guard = (): string => {
    if (below(3) > 0) return "";
    lines.push(`setp.${pick(["lt", "ge"])}.u32 %p1, ${pick(["%tid_", "%lane"])}, ${below(64)};`);
    return "@%p1 ";
  };
  /** The address of a word of the buffer: `first` bytes, and `scale` for each of what `by` holds. */
  const global = (first: number, by: string, scale: number): string => {
    lines.push(`mul.wide.u32 %rd2, ${by}, ${scale}; add.s64 %rd3, %rd1, %rd2;`);
    return `[%rd3+${first}]`;
  };
  const shared = (first: number, by: string, scale: number): string => {
    lines.push(`mad.lo.u32 %r2, ${by}, ${scale}, %s0;`);
    return `[%r2+${first}]`;
  };
  const [own, table, mine, counts, pieces] = [0, 32768, 65536, 98304, 114688];
  const meet = (): void => void lines.push("bar.sync 0;");
  const tidy: (() => void)[] = [
    () => {
      // Threads do not share the words of either size.
      const wide = below(3) === 0;
      const at = wide ? global(mine, "%gid", 16) : global(own, "%gid", 4);
      const [type, data] = wide ? ["v4.u32", "{%r4, %r5, %r6, %r7}"] : ["u32", "%r4"];
      if (below(2) === 0) lines.push(`${guard()}ld.global.${type} ${data}, ${at};`);
      lines.push(`${guard()}st.global.${type} ${at}, ${data};`);
    },
    () => {
      const [type, size, data] = pick([
        ["u32", 4, "%r4"], ["u32", 4, "%r4"], ["u8", 1, "%r4"], ["v2.u32", 8, "{%r4, %r5}"], ["u64", 8, "%rd5"],
      ] as const); // biome-ignore format: a table
      const by = pick(["%tid_", "%lane", "%gid", "%cta", "%half"]);
      lines.push(`${guard()}ld.global.${type} ${data}, ${global(table, by, pick([size, size, 8, 0]))};`);
    },
    () => {
      meet();
      lines.push(`${guard()}st.shared.u32 ${shared(0, "%tid_", 4)}, %tid_;`);
      if (below(2) === 0) lines.push(`ld.shared.u32 %r4, ${shared(0, "%tid_", 4)};`);
      meet();
      for (let times = 1 + below(3); times > 0; times--)
        lines.push(`ld.shared.u32 %r4, ${shared(4 * below(32), pick(["%lane", "%half", "%cta"]), 4)};`);
      meet();
    },
    () => {
      lines.push(`${guard()}red.relaxed.gpu.global.add.u32 ${global(counts, pick(["%lane", "%cta", "%half"]), 4)}, 1;`);
    },
    () => {
      meet();
      lines.push(`${guard()}red.shared.add.u32 ${shared(2048, pick(["%lane", "%half"]), 4)}, 1;`);
      if (below(2) === 0) lines.push(`atom.shared.add.u32 %r4, ${shared(2048, "%cta", 4)}, 1;`);
      meet();
      lines.push(`ld.shared.u32 %r4, ${shared(2048, "%lane", 4)};`);
      meet();
    },
    () => {
      lines.push(`ld.shared.u32 %r4, ${shared(1024, "%tid_", 4)}; st.shared.u32 ${shared(1024, "%tid_", 4)}, %r4;`);
    },
    () => {
      const turned = "xor.b32 %r3, %tid_, 1; mad.lo.u32 %r3, %cta, %ntid_, %r3;";
      meet();
      lines.push(`st.global.u32 ${global(own, "%gid", 4)}, %tid_;`);
      meet();
      lines.push(`${turned} ld.global.u32 %r4, ${global(own, "%r3", 4)};`);
      meet();
    },
    () => {
      meet();
      lines.push(`st.shared.u32 ${shared(0, "%tid_", 4)}, %lane; bar.warp.sync -1; xor.b32 %r3, %tid_, 5;`);
      lines.push(`ld.shared.u32 %r4, ${shared(0, "%r3", 4)};`);
      meet();
    },
  ];
  /** Copies of all lanes, in two groups, and what waits for the first. */
  const copy = (): void => {
    for (const [at, more] of [[4096, 0], [8192, 8192]] as const) // biome-ignore format: a table
      lines.push(
        `mad.lo.u32 %r2, %tid_, 16, %s0; mad.wide.u32 %rd3, %tid_, 16, %rd1;`,
        `${below(12) === 0 ? guard() : ""}cp.async.cg.shared.global [%r2+${at}], [%rd3+${table + more}], 16${pick(["", "", ", %r9"])};`,
        "cp.async.commit_group;",
      );
    lines.push(`cp.async.wait_group ${below(2)};`);
  };
  const load = (at: number): void => {
    if (below(2) === 0) lines.push(`ld.shared.v2.u32 {%r4, %r5}, ${shared(at, "%tid_", 8)};`);
    else
      lines.push(
        `mad.lo.u32 %r2, %lane, 16, %s0;`,
        `ldmatrix.sync.aligned.m8n8.x${pick(["4", "2"])}.shared.b16 {%r4, %r5, %r6, %r7}, [%r2+${at}];`.replace(
          /x2(.*?)\{%r4, %r5, %r6, %r7\}/,
          "x2$1{%r4, %r5}",
        ),
      );
  };
  const copying = (): void => {
    meet();
    copy();
    meet();
    load(4096);
    lines.push("cp.async.wait_all;");
    meet();
    load(8192);
  };
  tidy.push(copying, copying);
  /** Threads share words, and neither the bytes nor the halves of them. */
  const inPieces: (() => void)[] = [
    () => {
      const [type, size] = pick([["u8", 1], ["u8", 1], ["u16", 2]] as const); // biome-ignore format: a table
      const at = pieces + 4096 * (size - 1);
      lines.push(`${guard()}st.global.${type} ${global(at, "%gid", size)}, %tid_;`);
      lines.push(`${guard()}ld.global.${type} %r4, ${global(at, "%gid", size)};`);
    },
    () => {
      lines.push(`${guard()}st.global.u8 ${global(own + below(4), "%gid", 4)}, %tid_;`);
      lines.push(`${guard()}ld.global.${pick(["u32 %r4", "v4.u8 {%r4, %r5, %r6, %r7}"])}, ${global(own, "%gid", 4)};`);
    },
    () => {
      meet();
      lines.push(`${guard()}st.shared.u8 ${shared(1536, "%tid_", 1)}, %tid_;`);
      meet();
      lines.push(`ld.shared.u8 %r4, ${shared(1536 + below(16), pick(["%tid_", "%half"]), 1)};`);
      if (below(2) === 0) lines.push(`ld.shared.u32 %r4, ${shared(1536, "%half", 4)};`);
      meet();
    },
  ];
  const hasPieces = below(2) === 0;
  if (hasPieces) tidy.push(...inPieces, ...inPieces);
  const untidy: readonly (() => void)[] = [
    () => {
      copy();
      load(4096);
    },
    () => {
      copying();
      lines.push(`st.shared.u32 ${shared(8192, "%lane", 4)}, %tid_;`);
    },
    () => lines.push(`${guard()}st.global.u32 ${global(table, pick(["%lane", "%tid_", "%cta"]), 4)}, %tid_;`),
    () => lines.push(`${guard()}ld.global.u32 %r4, ${global(own, pick(["%lane", "%half"]), 4)};`),
    () => lines.push(`${guard()}st.shared.u32 ${shared(0, pick(["%lane", "%half", "%cta"]), 4)}, %tid_;`),
    () =>
      lines.push(`ld.shared.u32 %r4, ${shared(2048, "%lane", 4)}; red.shared.add.u32 ${shared(2048, "%lane", 4)}, 1;`),
    () => lines.push(`${guard()}ld.global.u32 %r4, ${global(counts, "%lane", 4)};`),
    () => lines.push(`${guard()}st.global.u8 ${global(own, "%gid", 1)}, %tid_;`),
    ...(hasPieces
      ? [
          () => lines.push(`${guard()}st.global.u8 ${global(pieces + below(8), "%half", pick([1, 2]))}, %tid_;`),
          () => lines.push(`${guard()}ld.global.u32 %r4, ${global(pieces, "%lane", 4)};`),
          () => lines.push(`${guard()}st.shared.u8 ${shared(1536, "%tid_", 1)}, %tid_;`),
        ]
      : []),
    () => lines.push(`fence.acq_rel.gpu; st.relaxed.gpu.global.u32 ${global(counts, "%lane", 4)}, 1;`),
  ];
  const [parts, times] = [3 + below(6), pick([1, 2, 5, 60])];
  const bad = below(2) === 0 ? below(parts + 1) : -1;
  const few = Array.from({ length: 1 + below(3) }, () => pick(tidy));
  lines.push("mov.u32 %c0, 0;", "L0:");
  for (let part = 0; part < parts; part++) {
    pick(few)();
    if (part === bad) {
      const late = below(times);
      lines.push(`setp.ne.u32 %p2, %c0, ${late};`, "@%p2 bra L1;");
      pick(untidy)();
      lines.push("L1:");
    }
  }
  lines.push("add.u32 %c0, %c0, 1;", `setp.lt.u32 %p3, %c0, ${times};`, "@%p3 bra L0;");
  if (bad === parts) pick(untidy)();
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .b32 %r<10>, %c0, %tid_, %gid, %lane, %cta, %half, %ntid_, %s0; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 16 .b8 s[12288];
ld.param.u64 %rd1, [out]; mov.u32 %tid_, %tid.x; mov.u32 %cta, %ctaid.x; mov.u32 %ntid_, %ntid.x; mov.u32 %s0, s;
mad.lo.u32 %gid, %cta, %ntid_, %tid_; mov.u32 %lane, %laneid; shr.u32 %half, %tid_, 4;
mov.u32 %r4, 1; mov.u32 %r5, 2; mov.u32 %r6, 3; mov.u32 %r7, 4; mov.u32 %r9, 16;
mad.lo.u32 %r2, %tid_, 4, %s0; add.u32 %r3, %s0, 12288; shl.b32 %r8, %ntid_, 2; bar.sync 0;
L2: st.shared.u32 [%r2], %r4; add.u32 %r2, %r2, %r8; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L2;
bar.sync 0;
${lines.join("\n")}
ret;
}`;
}
