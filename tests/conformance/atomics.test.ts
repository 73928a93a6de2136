import { expect, test } from "vitest";
import { addressIn, createSession, Memory } from "../../src/interp/index.ts";
import { share } from "../share.ts";
import { type AtomicCase, atomicCase, bitsOf, drawFrom, step } from "./atomic-oracle.ts";
import { outcomeOf, readVerdicts, type Verdict } from "./verdict.ts";

const records = readVerdicts("accepted.jsonl.gz").filter(
  ({ text, family, quirk }) => family === "memory" && quirk === undefined && /^(atom|red)\./.test(text),
);
const LANES = 5;
const thread = (lane: number) => ({ block: 0, warp: 0, lane });
const WINDOW = 64;

/** Runs a record with operands from `draw` in a few lanes that all update one place; gives what differs. */
function differences(asked: Verdict, draw: () => bigint, generic: "global" | "shared"): string[] {
  const { program, diagnostics } = outcomeOf(asked);
  if (program === undefined) return [`${asked.text}: ${diagnostics.map(({ message }) => message).join("; ")}`];
  const made = atomicCase(asked, draw);
  const space = made.space === "generic" ? generic : made.space;
  if (made.vector && space === "shared") return [];
  const memory = new Memory({ limit: 1 << 20 });
  const buffer = memory.allocate({ name: "buffer", bytes: 1024, initialised: true })!;
  const inWindow = BigInt(WINDOW);
  const at = space === "global" ? buffer + inWindow : inWindow;
  const base = made.space === "generic" && space === "shared" ? addressIn("shared", WINDOW) : at;
  const registers = new Map(made.registers);
  if (made.pointer !== undefined) registers.set(made.pointer, [base]);
  const place = made.pointer === undefined ? buffer : at;
  const session = createSession({
    program,
    memory,
    registers,
    grid: [1, 1, 1],
    block: [LANES, 1, 1],
    dynamicShared: 256,
    parameters: new Uint8Array(program.parameterBytes),
    addressOf: () => buffer,
  });
  const bytes = made.bits / 8;
  const cells = made.held.map((_, element) => place + made.offset + BigInt(element * bytes));
  made.held.forEach((value, element) => void session.write(space, cells[element]!, bytesOf(value, bytes), thread(0)));
  const stop = session.run();
  if (stop.reason !== "exit")
    return [`${asked.text}: ${stop.reason === "trap" ? stop.diagnostic.message : stop.reason}`];
  return compare(asked, made, space, (element, lane) =>
    lane === LANES
      ? integerOf(session.read(space, cells[element]!, bytes, thread(0)))
      : session.registers(thread(lane)).find(({ name }) => name === made.results[element])?.bits[0],
  );
}

/** What each lane got and what is left, against the oracle's way through the same updates. */
function compare(
  { text }: Verdict,
  made: AtomicCase,
  space: "global" | "shared",
  got: (element: number, lane: number) => bigint | undefined,
): string[] {
  return made.held.flatMap((first, element) => {
    let held: bigint | undefined = first;
    const wrong: string[] = [];
    for (let lane = 0; lane <= LANES && held !== undefined; lane++) {
      const found = got(element, lane);
      const wanted = lane === LANES || (made.results[element] ?? "_") !== "_";
      if (wanted && !same(made, found, held))
        wrong.push(`${text} in ${space}, lane ${lane}, element ${element}: ${found} is not ${held}`);
      held = step(made, space, held, element);
    }
    return wrong;
  });
}

/** A NaN of f64 may be any NaN. */
function same({ type }: AtomicCase, found: bigint | undefined, wanted: bigint): boolean {
  const isNan = (x: bigint): boolean => (x & (2n ** 63n - 1n)) > 0x7ff0_0000_0000_0000n;
  return found === wanted || (type === "f64" && found !== undefined && isNan(found) && isNan(wanted));
}

const bytesOf = (value: bigint, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
const integerOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

test("ptxas's verdicts on atom and red are all here", () => expect(records.length).toBe(1869));

test.each(["global", "shared"] as const)(
  "what ptxas accepts of atom and red gives what rationals and big integers give, generic addresses in %s memory",
  (generic) => {
    const draw = drawFrom(generic === "global" ? 1 : 2);
    const wrong = share(
      records.filter(({ text }) => !text.includes("+2000")),
      80,
    ).flatMap((record) => [0, 1].flatMap(() => differences(record, () => draw(bitsOf(record)), generic)));
    expect(wrong.slice(0, 20)).toEqual([]);
  },
);

test("with .noftz add.f32 keeps subnormals in all spaces, as PTX 9.4 has it", () => {
  const draw = drawFrom(3);
  const sums = records
    .filter(({ text }) => /^(atom|red)\.(?!.*noftz).*\.add\b.*\.f32\b/.test(text) && !text.includes("+2000"))
    .map((record) => ({ ...record, text: record.text.replace(".add", ".add.noftz"), target: "sm_90", version: "9.4" }));
  expect(sums.length).toBeGreaterThan(20);
  const wrong = share(sums, 4).flatMap((record) =>
    (["global", "shared"] as const).flatMap((generic) =>
      [0, 1, 2, 3].flatMap(() => differences(record, () => draw(bitsOf(record)), generic)),
    ),
  );
  expect(wrong.slice(0, 20)).toEqual([]);
});
