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
