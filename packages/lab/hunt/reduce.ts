import { type Callee, type Instruction, instructionsOf, type Program, type Region } from "./program.ts";
import { i32, i64, inBytes, like, scalarOf, type Type, type Value, zeroOf } from "./type.ts";

/** Whether a program still does what it is reduced for. */
export type Interesting = (program: Program) => Promise<boolean>;

/** What a value is in the thread that shows the fault, where that thread has it. */
export type ValueIn = (program: Program) => (id: number) => Value | undefined;

/**
 * A smaller program that is still interesting: outputs, instructions, functions and parameters are taken away, as long
 * as something can be, or until so many programs were tried.
 */
export async function reduce(
  program: Program,
  interesting: Interesting,
  valueIn: ValueIn,
  most: number,
): Promise<Program> {
  const bare = withoutDead(program);
  let best = (await interesting(bare)) ? bare : program;
  let tried = 1;
  for (let from = 0; ; ) {
    const before = best;
    let at = 0;
    for (const make of edits(best)) {
      // The changes before this one were tried a moment ago, on nearly the same program.
      if (at++ < from) continue;
      const made = make(valueIn);
      const smaller = made && withoutDead(made);
      if (smaller === undefined || weightOf(smaller) >= weightOf(best)) continue;
      if (tried >= most) return best;
      tried++;
      if (!(await interesting(smaller))) continue;
      best = smaller;
      from = at - 1;
      break;
    }
    if (best !== before) continue;
    if (from === 0) return best;
    from = 0;
  }
}

type Edit = (valueIn: ValueIn) => Program | undefined;

/** What is better about a program that is lighter: fewer instructions, then simpler ones. */
function weightOf({ body, functions, parameters, outputs, threads }: Program): number {
  const all = [body, ...functions.map((each) => each.body)].flatMap((each) => [...instructionsOf(each)]);
  const weights = all.map(
    ({ name, value, args, at = [], type }) =>
    name === "constant" ? (isZero(value as Value) ? 2 : 3) : name === "parameter" || name === "tid" ? 6 : 20 + 2 * args.length + at.length + (type.kind === "vector" ? type.count : 0), // biome-ignore format: one line
  );
  return weights.reduce((sum, each) => sum + each, 4 * parameters.length + 10 * functions.length + 5 * outputs.length + threads / 32); // biome-ignore format: one line
}

const isZero = (value: Value): boolean => (typeof value === "bigint" ? value === 0n : value.every(isZero));

/** All changes that are tried, large ones first. */
function* edits(program: Program): Generator<Edit> {
  const { outputs, body, functions, threads } = program;
  if (outputs.length > 1) for (const id of outputs) yield () => ({ ...program, outputs: [id] });
  const all = [...instructionsOf(body)];
  // What an output comes from may be wrong already.
  for (const { args } of body.filter(({ id }) => outputs.includes(id)))
    for (const id of args) yield () => asOutput(program, id);
  const worth = all.filter(({ name }) => !["constant", "carried", "turn"].includes(name));
  for (let size = 8; size >= 1; size = Math.floor(size / 2))
    for (let end = worth.length; end > 0; end -= size) {
      const part = new Set(worth.slice(Math.max(0, end - size), end).map(({ id }) => id));
      if (size === 1 || worth.length >= size) yield (valueIn) => withConstants(program, part, valueIn(program));
    }
  for (const { regions = [], ...each } of all)
    for (const region of regions) yield () => ({ ...program, body: inlined(body, each, region) });
  const before: Instruction[] = [];
  for (const callee of functions) {
    for (const each of calleeEdits(callee)) yield () => ({ ...program, functions: functions.map((other) => (other === callee ? each : other)) }); // biome-ignore format: one line
    const parameters = callee.body.filter(({ name }) => name === "parameter");
    for (const at of parameters.keys()) yield () => withoutArgument(program, callee, at);
  }
  let around: Instruction | undefined;
  for (const each of all) {
    if (body.includes(each)) {
      // Not inside of itself.
      if (around !== undefined) before.push(around);
      around = each;
    }
    const others = [...each.args, ...before.map(({ id }) => id)].filter((id) => all.find((other) => other.id === id)?.type === each.type); // biome-ignore format: one line
    if (!given.has(each.name)) for (const id of new Set(others.slice(0, 2))) yield () => renamed(program, each.id, id);
  }
  for (const { id, type, name } of worth)
    if (inBytes(type) && name !== "load" && !given.has(name))
      yield (valueIn) => asParameter(program, id, type, valueIn(program)(id));
  if (threads > 32) yield () => ({ ...program, threads: 32 });
  for (const { id, name, type, value } of all)
    if (name === "constant" && !isZero(value as Value)) yield () => changed(program, id, { value: zeroOf(type) });
}

/** One value as the only output, made whole bytes. */
function asOutput(program: Program, id: number): Program | undefined {
  const made = program.body.find((each) => each.id === id);
  if (made === undefined || made.type.kind === "struct") return undefined;
  if (inBytes(made.type)) return { ...program, outputs: [id] };
  const of = scalarOf(made.type);
  if (of.kind === "float" || of.bits > 64) return undefined;
  const next = Math.max(...[...instructionsOf(program.body)].map((each) => each.id)) + 1;
  const type = like(made.type, of.bits < 32 ? i32 : i64);
  return { ...program, body: [...program.body, { id: next, name: "zext", type, args: [id] }], outputs: [next] };
}

/** Instructions that make a value of nothing. */
const given = new Set(["constant", "parameter", "tid", "carried", "turn"]);

const changed = (program: Program, id: number, to: Partial<Instruction>): Program => ({
  ...program,
  body: mapped(program.body, (each) => (each.id === id ? [{ ...each, ...to }] : [each])),
});

/** A body with instructions replaced, those in regions too. */
function mapped(
  body: readonly Instruction[],
  by: (each: Instruction) => readonly Instruction[],
): readonly Instruction[] {
  return body.flatMap((each) =>
    by(each).map((made) =>
      made.regions === undefined || made !== each
        ? made
        : { ...made, regions: made.regions.map((region) => ({ ...region, body: mapped(region.body, by) })) },
    ),
  );
}

function withConstants(program: Program, ids: ReadonlySet<number>, value: (id: number) => Value | undefined): Program {
  return {
    ...program,
    body: mapped(program.body, (each) =>
      ids.has(each.id)
        ? [{ id: each.id, name: "constant", type: each.type, args: [], value: value(each.id) ?? zeroOf(each.type) }]
        : [each],
    ),
  };
}

function asParameter(program: Program, id: number, type: Type, value: Value | undefined): Program {
  const at = program.parameters.length;
  const by: Instruction = { id, name: "parameter", type, args: [], at: [at] };
  return {
    ...program,
    parameters: [...program.parameters, { type, value: value ?? zeroOf(type) }],
    body: mapped(program.body, (each) => (each.id === id ? [by] : [each])),
  };
}

/** A region in place of what chooses it. */
function inlined(
  body: readonly Instruction[],
  { id, name, args, type }: Instruction,
  region: Region,
): readonly Instruction[] {
  const [carried, turn] = region.body;
  const alias = (from: number | undefined, to: number | undefined) => (each: readonly Instruction[]) =>
    from === undefined || to === undefined ? each : withNames(each, from, to);
  const own =
    name === "loop"
      ? [
          { id: turn?.id ?? -1, name: "constant", type: i32, args: [], value: 0n },
          ...alias(carried?.id, args[1])(region.body.slice(2)),
        ]
      : region.body;
  const result = name === "loop" && region.result === carried?.id ? (args[1] as number) : region.result;
  return mapped(body, (each) => (each.id === id ? [...own, { id, name: "freeze", type, args: [result] }] : [each]));
}

const withNames = (body: readonly Instruction[], from: number, to: number): readonly Instruction[] =>
  body.map((each) => ({
    ...each,
    args: each.args.map((id) => (id === from ? to : id)),
    ...(each.regions && {
      regions: each.regions.map(({ body, result }) => ({
        body: withNames(body, from, to),
        result: result === from ? to : result,
      })),
    }),
  }));

/** One value in place of another, which nothing uses then. */
const renamed = (program: Program, from: number, to: number): Program => ({
  ...program,
  body: withNames(program.body, from, to),
  outputs: [...new Set(program.outputs.map((id) => (id === from ? to : id)))],
});

function* calleeEdits(callee: Callee): Generator<Callee> {
  const { body, result } = callee;
  const type = body.find(({ id }) => id === result)?.type;
  for (const each of body.toReversed()) {
    if (each.type === type && each.id !== result) yield { ...callee, result: each.id };
    if (given.has(each.name)) continue;
    for (const other of body) {
      if (other === each) break;
      if (other.type === each.type) yield { ...callee, body: withNames(body, each.id, other.id), result: result === each.id ? other.id : result }; // biome-ignore format: one line
    }
    const zero: Instruction = { id: each.id, name: "constant", type: each.type, args: [], value: zeroOf(each.type) };
    yield { ...callee, body: body.map((other) => (other === each ? zero : other)) };
  }
}

/** A function's parameter that its body does not need, in all calls. */
function withoutArgument(program: Program, callee: Callee, at: number): Program | undefined {
  const parameter = callee.body.find((each) => each.name === "parameter" && each.at?.[0] === at);
  const used = callee.result === parameter?.id || callee.body.some(({ args }) => args.includes(parameter?.id ?? -1));
  if (used || parameter === undefined) return undefined;
  const body = callee.body
    .filter((each) => each !== parameter)
    .map((each) => each.name === "parameter" && (each.at?.[0] ?? 0) > at ? { ...each, at: [(each.at?.[0] ?? 0) - 1] } : each); // biome-ignore format: one line
  return {
    ...program,
    functions: program.functions.map((each) => (each === callee ? { ...callee, body } : each)),
    body: mapped(program.body, (each) =>
      each.name === "call" && each.word === callee.name
        ? [{ ...each, args: each.args.filter((_, index) => index !== at) }]
        : [each],
    ),
  };
}

/** Without what no output depends on: instructions, functions, parameters of the kernel. */
export function withoutDead(program: Program): Program {
  const used = new Set(program.outputs);
  const body = live(program.body, used);
  const names = new Set([...instructionsOf(body)].flatMap(({ name, word }) => (name === "call" ? [word] : [])));
  const wanted = [...new Set([...instructionsOf(body)].flatMap(({ name, at }) => (name === "parameter" ? [at?.[0] ?? 0] : [])))].toSorted((a, b) => a - b); // biome-ignore format: one line
  return {
    ...program,
    parameters: wanted.map((at) => program.parameters[at] as Program["parameters"][number]),
    functions: program.functions.filter(({ name }) => names.has(name)).map((callee) => liveCallee(callee)),
    body: mapped(body, (each) => each.name === "parameter" ? [{ ...each, at: [wanted.indexOf(each.at?.[0] ?? 0)] }] : [each]), // biome-ignore format: one line
  };
}

function live(body: readonly Instruction[], used: Set<number>): readonly Instruction[] {
  const kept: Instruction[] = [];
  for (const each of body.toReversed()) {
    const head = each.name === "carried" || each.name === "turn";
    if (!used.has(each.id) && !head) continue;
    for (const id of each.args) used.add(id);
    const regions = each.regions?.map((region) => {
      used.add(region.result);
      return { ...region, body: live(region.body, used) };
    });
    kept.unshift(regions === undefined ? each : { ...each, regions });
  }
  return kept;
}

function liveCallee(callee: Callee): Callee {
  const used = new Set([callee.result]);
  const kept = new Set(live(callee.body, used).map(({ id }) => id));
  return { ...callee, body: callee.body.filter(({ id, name }) => kept.has(id) || name === "parameter") };
}
