import { written } from "../instruction.ts";
import { classesOf, type Spelling } from "../spelling.ts";
import type { Protocol, ProtocolPlace } from "./protocol.ts";

/** Whole warps load, multiply and store, once or in a loop; the rows that they address lie in the tile, or in `A`. */
function lines(spelling: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, threads, together, target, label } = place;
  if ((!together || threads % 32 !== 0) && random.chance(95)) return undefined;
  const { form } = spelling;
  const { a } = classesOf(spelling);
  const before: string[] = [];
  const operands: Record<string, string> = {};
  if (a?.kind === "address") {
    // Of wmma all lanes give one address, of the others each the row that it names.
    const own = form.mnemonic === "wmma" ? "0" : pointers.use("t");
    if (form.mnemonic === "wmma" && a.space !== "shared") operands["a"] = `[${pointers.use("gU")}]`;
    else {
      before.push(`mad.lo.u32 %tm, ${own}, 16, ${pointers.use("tile")};`);
      if (a.space !== "shared") before.push("cvt.u64.u32 %at, %tm;", "cvta.shared.u64 %at, %at;");
      operands["a"] = a.space === "shared" ? "[%tm]" : "[%at]";
    }
    operands["stride"] = `${random.any([16, 32, 32, 48])}`;
  }
  // Which lanes give the scale factors has to be one for all.
  if (random.chance(90)) for (const id of ["ia", "ib"]) operands[id] = "{0, 0}";
  const around = { random, pointers, together, target };
  const guard = random.chance(95) ? "" : "@%p0 ";
  const work = Array.from({ length: 1 + random.below(3) }, () => written(spelling, around, { operands, guard }));
  if (work.includes(undefined)) return undefined;
  const all = work.flatMap((each) => each!);
  if (!random.chance(35)) return [...before, ...all];
  const again = label();
  return [
    ...before,
    "mov.u32 %w0, 0;",
    `${again}:`,
    ...all,
    "add.u32 %w0, %w0, 1;",
    `setp.lt.u32 %lw, %w0, ${2 + random.below(3)};`,
    `@%lw bra ${again};`,
  ];
}

export const matrix: Protocol = {
  draws: ({ mnemonic, executable }) => executable && /^(w?mma|(ld|st|mov)matrix)$/.test(mnemonic),
  lines,
  threads: [32, 32, 64, 128],
};

/** Caches are told of whole lines. */
export const cacheLines: Protocol = {
  draws: ({ syntax, executable }) => executable && /^(discard|applypriority)\{/.test(syntax),
  lines: (spelling, { random, pointers, together, target }) =>
    written(spelling, { random, pointers, together, target }, { operands: { a: `[A+${128 * random.below(16)}]` } }),
};
