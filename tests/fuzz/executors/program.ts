import type { Form } from "../../../src/isa/index.ts";
import { Body } from "./body.ts";
import { aroundBody, type Callee, driverFunctions } from "./calls.ts";
import { targets } from "./instruction.ts";
import { declarations } from "./operands.ts";
import { CONSTANT, LOCAL, PARAMETERS, variables } from "./pointers.ts";
import { drawFocus, formOf } from "./protocols/index.ts";
import { Random } from "./random.ts";
import { drawTheme } from "./theme.ts";
import { fillWith } from "./values.ts";

/** A program, and the sizes of its launch. */
export interface Drawn {
  readonly lines: readonly string[];
  readonly block: number;
  readonly grid: number;
  readonly target: string;
  /** The blocks of a cluster work together. */
  readonly paired: boolean;
}

/** Everything follows from the seed, but for the form that the program is about, where somebody asks for one. */
export function drawProgram(seed: number, form: Form | undefined = formOf(seed)): Drawn {
  const random = new Random(seed);
  const focus = form && drawFocus(random, form);
  const target = focus?.target ?? drawTarget(random);
  const theme = drawTheme(random, focus !== undefined);
  const block =
    focus?.threads ??
    (random.chance(theme.large)
      ? random.any([33, 40, 63, 64, 64, 64, 64, 96, 128, 128])
      : random.any([1, 2, 7, 17, 31, ...Array<number>(12).fill(32)]));
  const paired = focus?.paired ?? false;
  const grid = paired ? 2 : random.chance(75) ? 1 : 2 + random.below(2);
  const labels = { count: 0 };
  const callees: Callee[] = [];
  const functions: { readonly name: string; readonly lines: readonly string[] }[] = [];
  const setting = { random, theme, target, threads: block, paired };
  for (let count = random.chance(theme.functions) ? 1 + random.below(2) : 0; count > 0; count--) {
    const by = random.chance(50) ? "register" : "param";
    const recursive = random.chance(25);
    const meets = !recursive && random.chance(theme.hold + 15);
    const callee = { name: `fn${callees.length}`, by, recursive, meets } as const;
    const body = new Body(
      { ...setting, together: meets, callees: [...callees], length: 1 + random.below(8), kernel: false },
      labels,
    );
    const { head, lines } = aroundBody(callee, meets ? [...body.lines, "bar.sync 0;"] : body.lines, random);
    functions.push({
      name: callee.name,
      lines: [head, ...braced([...localOf(body), ...body.pointers.lines, ...lines])],
    });
    callees.push(callee);
  }
  // Most differences need few instructions, and short programs are many.
  const roll = random.below(100);
  const length =
    roll < 1
      ? 40 + random.below(40)
      : roll < 12
        ? 8 + random.below(14)
        : roll < 40
          ? 2 + random.below(7) + (theme.hold > 20 ? 2 : 0)
          : 1 + random.below(3);
  const body = new Body({ ...setting, together: true, callees, length, kernel: true, ...(focus && { focus }) }, labels);
  // Before the pointers are written down: it asks for one more.
  const first = initial(random, body, focus === undefined ? [0, 0, 30, 60, 90] : [0, 60, 90, 90]);
  const last = random.chance(35) ? final(random, body) : [];
  // What a first pass finds out of memory and of lanes, a second one may rely on.
  const trips = random.chance(25) ? 2 + random.below(3) : 1;
  const [begin, end] =
    trips === 1
      ? [[], []]
      : [
          ["mov.u32 %o, 0;", "again:"],
          ["add.u32 %o, %o, 1;", `setp.lt.u32 %ol, %o, ${trips};`, "@%ol bra again;"],
        ];
  const called = usedOf(functions, body.lines);
  const kernel = braced([...localOf(body), ...body.pointers.lines, ...first, ...begin, ...body.lines, ...end, ...last]);
  const uses = (name: string): boolean => {
    const word = new RegExp(`\\b${name}\\b`);
    return [...called, ...kernel].some((line) => word.test(line));
  };
  const lines = [
    `.version ${(targets[target]!.ptx / 10).toFixed(1)}`,
    `.target ${target}`,
    ".address_size 64",
    ...[...variables, ...driverFunctions].flatMap(([name, declaration]) => (uses(name) ? [declaration] : [])),
    ...called,
    ".entry k(.param .b64 k0, .param .b32 k1, .param .align 16 .b8 k2[48])",
    ...kernel,
  ];
  return { lines, block, grid, target, paired };
}

const drawTarget = (random: Random): string =>
  random.chance(70)
    ? random.any(["sm_100a", "sm_90a"])
    : random.any(["sm_80", "sm_120a", "sm_107a", "sm_103a", "sm_120a", "sm_60"]);

/** Those that may be called: a later one may call an earlier one. */
function usedOf(
  functions: readonly { readonly name: string; readonly lines: readonly string[] }[],
  body: readonly string[],
): string[] {
  let used: string[] = [];
  for (const { name, lines } of functions.toReversed())
    if ([...body, ...used].some((line) => line.includes(name))) used = [...lines, ...used];
  return used;
}

const braced = (lines: readonly string[]): string[] => ["{", ...declarations(lines), ...lines, "ret;", "}"];

/** Local memory only where something addresses it: each warp has to be given it. */
const localOf = ({ lines, pointers }: Body): string[] =>
  [...lines, ...pointers.lines].some((line) => /\bL\b/.test(line)) ? [`.local .align 16 .b8 L[${LOCAL}];`] : [];

/** Gives most registers values that differ from lane to lane; some keep what they have at the beginning. */
function initial(random: Random, body: Body, chances: readonly number[]): string[] {
  const often = random.any(chances);
  if (often === 0) return [];
  const a = body.pointers.use("gA");
  return [
    `ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [${a}];`,
    `ld.global.v4.b32 {%r4, %r5, %f0, %f1}, [${a}+16];`,
    `ld.global.v2.b64 {%q0, %q1}, [${a}+32];`,
    `ld.global.v2.b64 {%d0, %q2}, [${a}+48];`,
    `ld.global.v4.b16 {%h0, %h1, %h2, %hf0}, [${a}+8];`,
    `ld.global.v2.b32 {%u0, %s0}, [${a}+40];`,
    "setp.lt.s32 %p0|%p1, %r0, %r1;",
    "setp.gt.f32 %p2|%p3, %f0, %f1;",
  ].filter(() => random.chance(often));
}

/** Stores what registers hold, so that it counts in launches whose registers nobody sees. */
function final(random: Random, body: Body): string[] {
  const a = body.pointers.use("gA");
  return [
    `st.global.v4.b32 [${a}], {%r0, %r1, %r2, %r3};`,
    `st.global.v4.b32 [${a}+16], {%r4, %r5, %r6, %r7};`,
    `st.global.v2.b64 [${a}+32], {%q0, %q1};`,
    `st.global.v2.f64 [${a}+48], {%d0, %d1};`,
    `st.global.v2.f32 [${a}+40], {%f0, %f1};`,
    `st.global.v4.b16 [${a}+56], {%h0, %h1, %h2, %h3};`,
    `@%p0 st.global.b32 [${a}+4], %u0;`,
    `@!%p1 st.global.b32 [${a}+8], %s0;`,
  ].filter(() => random.chance(60));
}

/** What memory holds at the beginning, by seed: the parameters and the variables of the module. */
export function drawData(seed: number): {
  readonly parameters: Uint8Array;
  readonly array: Uint8Array;
  readonly table: Uint8Array;
  readonly constants: Uint8Array;
} {
  const random = new Random(seed ^ 0x2545f491);
  const [parameters, array, table, constants] = [PARAMETERS, 8192, 1024, CONSTANT].map(
    (bytes) => new Uint8Array(bytes),
  );
  for (const bytes of [parameters, array, table, constants]) fillWith(random, bytes!);
  return { parameters: parameters!, array: array!, table: table!, constants: constants! };
}
