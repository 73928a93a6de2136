import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { parseVisa, printFile } from "../../packages/visa/src/index.ts";
import type { Program } from "../../src/interp/contract/program.ts";
import { createSession, Memory } from "../../src/interp/index.ts";
import { renderDiagnostics } from "../../src/present/diagnostic.ts";
import { codes } from "../../src/source/index.ts";
import { Source } from "../../src/source/source.ts";
import { draws, share } from "../share.ts";
import { World } from "../unit/cli/world.ts";
import { misspellings } from "./misspellings.ts";
import { errorsOf, type Outcome, outcomeOf, readVerdicts, type Verdict, wholeText, wordsOf } from "./verdict.ts";

/** Differences from a tool that are on purpose, each with its reason, by the name and target of a verdict or by its text. */
type Otherwise = readonly (readonly [why: string, which: RegExp])[];
/** One verdict in `every` by `npm test`; in the long suite one in `taken` and `refused`, since what is refused is explained, too. */
interface List {
  readonly count: number;
  readonly every: number;
  readonly taken?: number;
  readonly refused?: number;
  readonly otherwise?: Otherwise;
}

const lists: Readonly<Record<string, List>> = {
  accepted: {
    count: 21_009,
    every: 144,
    taken: 4,
    otherwise: [
      ["ptxas does not look at the type of an f16x2 register where a predicate is wanted", /^(and|xor|not|mov)\.pred /],
      ["testp without a question: ptxas writes no code for it", /^testp\.f64 d, a;$/],
      ["arithmetic on a register is not an operand; elsewhere the records call it a quirk", /^mov\.u(32|64) d, a ?\+/],
      ["an address of another space than the one made generic or taken apart", /^cvta\.to\.global\.u64 d, \w+\+\d;$/],
      ["%gridid has 32 or 64 bits", /^mov\.u16 d, %gridid;$/],
    ],
  },
  rejected: {
    count: 22_353,
    every: 36,
    refused: 4,
    otherwise: [
      ["ptxas 13.0 takes these when it is asked again; the record says Constant overflow", /0f3F800000;$/],
      ["a constant beside a float register in a vector", /^mov\.b(32|64) d, \{x0, 2\};$/],
      ["the address of a kernel: ptxas takes it for other targets", /^mov\.[bu](32|64) d, k;$/],
    ],
  },
  // A sample of some 8,000 spellings and operand lists that were drawn over all words, register types, vector lengths and constants
  // of ldmatrix, stmatrix, wmma.load, wmma.store and wgmma. Left out are predicate registers where ptxas does not look, 32-bit
  // generic addresses of wmma, and words of a name apart from it.
  matrices: { count: 380, every: 72 },
  // Six hundred drawn spellings and operand lists each, and grids over a few borders: bulk copies and multimem, tcgen05.mma of six
  // targets, conversions, volatile accesses and what is younger than its kin.
  bulk: { count: 600, every: 72, refused: 3 },
  "tensor-multiply": { count: 600, every: 72, refused: 3 },
  borders: { count: 494, every: 72, refused: 3 },
  lexical: {
    count: 723,
    every: 4,
    otherwise: [
      ["ptxas asks for --compile-only, which is no question of the language", /^(172|242) /],
      ["ptxas asks for .target; ptxrun assumes one, and a note says so", /^325 /],
      ["ptxas was asked to assemble for sm_100a; ptxrun is bound to no GPU", /^(340|341) /],
      ["ptxas 13.0 ends at PTX 9.0; ptxrun knows 9.4", /^326 /],
      ["ptxas takes no byte order mark; ptxrun passes over it, and a note says so", /^349 /],
      ["g+1 as an operand: ptxas adds to the register's bits; it is no language", /^694 /],
    ],
  },
  // tests/data/visa/README.md has the reasons.
  "visa-lines": {
    count: 436 * 5,
    every: 32,
    otherwise: [
      ["mnemonics and modifiers are taken in any case", /^(227|567) /],
      ["a region beyond its variable draws a warning", /^(426|427) (TGLLP|DG2|PVC|XE2)$/],
    ],
  },
  "visa-files": {
    count: 130,
    every: 4,
    otherwise: [
      ["an alias may run past its root", /^51 /],
      ["a kernel attribute that nobody knows is a warning", /^103 /],
      ["mnemonics and modifiers are taken in any case", /^129 /],
    ],
  },
};

const recorded = new Map(Object.keys(lists).map((name) => [name, readVerdicts(`${name}.jsonl.gz`)]));
/** What is asked of each list: neighbours differ by little. All of it with `RECORDED=all`. */
const asked = new Map(
  Object.entries(lists).map(([name, { every, taken = 1, refused = 1 }]) => {
    const verdicts = recorded.get(name) ?? [];
    const of = (isTaken: boolean) => verdicts.filter(({ cat }) => (cat === undefined) === isTaken);
    const all = process.env["RECORDED"] === "all";
    const some = all ? verdicts : [...share(of(true), every, taken), ...share(of(false), every, refused)];
    // Where ptxas crashed there is no verdict.
    return [name, some.filter(({ cat }) => cat !== "ptxas-crash")];
  }),
);
const quirky = (asked.get("accepted") ?? []).filter(({ quirk }) => quirk !== undefined);

/** Several tests ask for the same; programs are not kept. */
const known = new Map<Verdict, Outcome & { readonly ran?: string }>();
function ours(verdict: Verdict) {
  const there = known.get(verdict);
  if (there !== undefined) return there;
  const { program, diagnostics } = outcomeOf(verdict);
  const gap = program?.code.some(({ plan }) => plan.shape === "gap");
  // Registers are zero, so most addresses are null; what each form computes is the business of the oracles.
  const ran = program === undefined ? undefined : gap ? "a gap" : run(program);
  const said = { diagnostics, ...(ran === undefined ? {} : { ran }) };
  known.set(verdict, said);
  return said;
}
const codesOf = (verdict: Verdict): readonly string[] => errorsOf(ours(verdict)).map(({ code }) => code);

/** Runs a kernel of one thread to its end: "exit" when it gets there. */
function run(program: Program): string {
  const stop = createSession({
    program,
    memory: new Memory({ limit: 1 << 20 }),
    grid: [1, 1, 1],
    block: [1, 1, 1],
    parameters: new Uint8Array(program.parameterBytes),
    addressOf: () => 0n,
    maxSteps: 1000,
  }).run();
  return stop.reason === "trap" ? stop.diagnostic.message : stop.reason;
}

const titleOf = ({ name, text, target }: Verdict): string => (name === undefined ? text : `${name} ${target}`);
const isTaken = (verdict: Verdict): boolean =>
  codesOf(verdict).length === 0 && ours(verdict).ran !== "a gap" && (verdict.in !== undefined || ours(verdict).ran !== undefined); // biome-ignore format: one line

describe.each(Object.entries(lists))("%s", (name, { count, otherwise = [] }) => {
  const verdicts = asked.get(name) ?? [];

  it("has all that was measured", () => expect(recorded.get(name)).toHaveLength(count));

  it("is taken and refused as the tool does, but for what is decided otherwise", () => {
    let listed = 0;
    const wrong = verdicts.flatMap((verdict) => {
      if (verdict.quirk !== undefined) return [];
      const differs = isTaken(verdict) !== (verdict.cat === undefined);
      const decided = otherwise.some(([, which]) => which.test(titleOf(verdict)));
      if (differs && decided) listed++;
      // A name is that of one verdict; a text is like others, some of which agree.
      const right = verdict.name === undefined ? !differs || decided : differs === decided;
      const told = errorsOf(ours(verdict))[0]?.message ?? ours(verdict).ran ?? "taken";
      return right ? [] : [`${titleOf(verdict)} ${verdict.target} ${verdict.version}: ${told}`];
    });
    expect(wrong.slice(0, 20)).toEqual([]);
    // What npm test has asked whole leaves nothing to the gate.
    if (verdicts.length > 0 && verdicts.every(({ name }) => name === undefined))
      expect(listed).toBeLessThan(verdicts.length / draws(20, 200));
  });
});

/** The families in which everything that is taken runs, and all that is refused is for the same reason. */
const seeds = new Set(["half", "mixed", "extint"]);

it("what is taken of the first families runs to its end", () => {
  const taken = (asked.get("accepted") ?? []).filter(({ family = "", quirk }) => seeds.has(family) && !quirk);
  expect(taken.filter((verdict) => ours(verdict).ran !== "exit").map(titleOf)).toEqual([]);
});

/** What says that a quirk is one: the code, and a word of the message or its help. */
const quirks: ReadonlyMap<string, readonly [code: string, says: RegExp]> = new Map([
  // Refused where the register has another width than the operand.
  ["reg+imm operand", ["PTX9018 PTX1313", /ptxas does so, although|^arithmetic on a is not an operand/]],
  ["unchecked vector operand (bf16)", ["PTX1307", /vector/]],
  ["undocumented rounding on fma.bf16; generated code is wrong", ["PTX1203", /code ptxas makes is wrong/]],
]);

it("quirks of ptxas are rejected or noted with the reason", () => {
  const wrong = quirky.flatMap((verdict) => {
    const [code, says] = quirks.get(verdict.quirk ?? "") ?? ["none", /nothing/];
    const found = ours(verdict).diagnostics.find((each) => code.includes(each.code));
    return found && says.test(wordsOf(found)) ? [] : [`${verdict.text}: ${found && wordsOf(found)}`];
  });
  expect(wrong.slice(0, 20)).toEqual([]);
});

/**
 * ptxas's categories and the codes that say the same. Where several things are wrong with one instruction ptxas names
 * one of them, in its own order; ptxrun names them all, so one of ours has to agree. Second, what else may be said of the
 * other families, whose forms share more: `.v8` may be told as a word that the form has no place for, or as more bits than a
 * vector holds; a type that goes with none of the words as the words' fault.
 */
const causes: Readonly<Record<string, readonly [same: string, wider: string]>> = {
  // ptxas says that ld.red is not there before it looks at its words.
  target: ["1212 1510", "1511 1206 1207 1213"],
  version: ["1213", "1509"],
  // .approx is a rounding to ptxas, and mad.rn.f32 has one too many for sm_1x.
  // In fma.abs.f16 another word stands in the place of the rounding: one error, not two.
  rounding: ["1203 1204 1205 1206 1209 1212", ""],
  // A type that a modifier does not go with may be told as the type's fault, and .cc with 16 bits too. "Unexpected number of
  // arguments specified" is filed here.
  "illegal-modifier": ["1203 1205 1206 1207 1208 1210 1211", "1204 1209 1301"],
  // .full and .arrive are unknown to ptxas in all instructions but their own; ADD.F16 is unknown from its name on.
  "unknown-modifier": ["1201 1202 1206", "1210"],
  "bad-type": ["1206 1209 1210 1211", "1207 1422"],
  // mad.f32.bf16 has types that no mad has; ptxas finds its registers at fault, and those wrong before it misses .block_scale.
  "operand-mismatch": ["1210 1301 1302 1303 1304 1306 1307 1309 1310 1312 1320", "1203 1206 1209 1315 1316"],
  // "Result register required" is filed here. A word that asks for an operand, or an operand that asks for a word.
  // In ex2.rz.f32 the word that is missing is what the rounding stands in the place of: one error, not two.
  "missing-modifier": ["1203 1206 1209 1304 1313", "1207 1301 1318"],
  "predicate-or-negation": ["1309 1310 1311 1320", "1206 1315 1318"],
  "vector-or-selector": ["1307 1308", "1206 1207 1302 1305"],
  // "p add.u32 d, a, b;" is an unknown name to ptxas, and lacks its @ to us.
  other: ["1103 1308 1312", "1206 1207 1210 1301 1303 1320 1325 1414 1421 1422 1606"],
  "special-register": ["1306", "1302 1307"],
  "bad-destination": ["1305", "1306"],
  // mad24 without a part is not an instruction to ptxas.
  "unknown-opcode": ["1201 1206 1209 1210", "1207"],
  "constant-or-range": ["", "1206 1210 1303 1309 1313 1315 1602 1603 1604 1605 1608"],
  "state-space": ["", "1202 1206 1207 1209 1312 1314 1315 1412 1422"],
  "address-size": ["", "1206 1210 1302 1315"],
  "undefined-symbol": ["", "1312 1316 1320 1421 1423"],
  "address-operand": ["", "1206 1315 1320"],
};
const syntax = /^PTX1([01]|202|30[13456]|311|312|320|402)/;
/** Here ptxas looks at registers before it looks at modifiers that do not exist; we say what is wrong with those. */
const modifiers = /^(shl\.(lo|hi|cc)|mad\.wide.*\.cc)/;

describe("what ptxas rejects", () => {
  const rejected = asked.get("rejected") ?? [];

  it("is rejected for the same reason, of the other families 99 in 100", () => {
    const seen = new Set<string>();
    const wrong: string[] = [];
    const others: string[] = [];
    for (const verdict of rejected) {
      const { text, cat = "", family = "" } = verdict;
      const [same = "", wider = ""] = causes[cat] ?? [];
      const found = codesOf(verdict);
      const agreed = seeds.has(family) ? (cat === "operand-mismatch" && modifiers.test(text) ? "1206 1207" : same) : `${same} ${wider}`; // biome-ignore format: one line
      if (seeds.has(family)) seen.add(cat);
      // PTX 9.4 has such names of mixed precision, with other types: a word of it is what is wrong now.
      if (
        /^(?:add|sub|mul|fma)\.(?:\w+\.)?(?:f16x2|bf16x2|f32x2)\.(?:f16x2|bf16x2|f32x2)|^(?:add|sub)\.sat\.\w+16x2 /.test(
          text,
        )
      )
        continue;
      if (found.some((code) => (cat === "syntax" ? syntax.test(code) : agreed.includes(code.slice(3))))) continue;
      (seeds.has(family) || cat === "syntax" ? wrong : others).push(`${text} ${cat}: ${found.join(" ")}`);
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(others.slice(Math.ceil(rejected.filter(({ family = "" }) => !seeds.has(family)).length / draws(50, 100)))).toEqual([]); // biome-ignore format: one line
    // The gate takes a part of those that npm test has left out, which need not have one of each.
    const missed = Object.keys(causes).filter((cat) => causes[cat]?.[0] !== "" && !seen.has(cat));
    if (process.env["PTXRUN_TESTS"] !== "rest") expect(missed).toEqual([]);
  });

  it("is of a category that has codes, and every message about a spelling proposes something", () => {
    expect(rejected.filter(({ cat = "" }) => cat !== "syntax" && causes[cat] === undefined)).toEqual([]);
    const silent = rejected
      .flatMap((verdict) => ours(verdict).diagnostics)
      .filter(({ code, expected, help }) => code.startsWith("PTX12") && expected === undefined && !help?.length)
      .map(({ code, message }) => `${code} ${message}`);
    expect(silent.slice(0, 20)).toEqual([]);
  });
});

describe("lines of vISA that Intel's tool takes", () => {
  // Each once, whatever targets it is for.
  const printed = [...new Map((recorded.get("visa-lines") ?? []).filter(({ printed }) => printed !== undefined).map((each) => [each.name, each])).values()]; // biome-ignore format: one line
  const print = (text: string): string => printFile(parseVisa(new Source("t.visaasm", text)).value);

  it("are printed as it prints them", () => {
    // Decimal digits beyond 32 bits (306) are taken whole here. Its numbers for predicates and addresses count those of its own declarations.
    const numbered = (text: string): string =>
      text
        .trim()
        .replace(/\((!?)P\w+/g, "($1P")
        .replace(/r\[A\d+/g, "r[A");
    const unlike = printed.filter((verdict) => {
      const lines = print(wholeText(verdict)).split("\n").map(numbered);
      return !lines.includes(numbered(verdict.printed ?? ""));
    });
    expect(unlike.map(({ name }) => name)).toEqual(["306"]);
  });

  it("are printed so that they read the same again", () => {
    for (const verdict of printed) {
      const once = print(wholeText(verdict));
      expect(print(once)).toBe(once);
    }
  });
});

const words = readVerdicts("words.jsonl");
const isText = (verdict: Verdict): boolean => /^(kernel|module|file)$/.test(verdict.in ?? "");
const mistakes = [...readVerdicts("mistakes.jsonl"), ...words.filter(isText)];
const nameOf = ({ name, text }: Verdict): string => name ?? text;

describe("a mistake in a text", () => {
  it.each(mistakes.map((each) => [nameOf(each), each] as const))("%s: one error, with a page", (_, verdict) => {
    const { code, at, says = [], several } = verdict;
    const errors = errorsOf(ours(verdict));
    expect(errors.length).toBeGreaterThan(0);
    if (!several) expect(errors.map(({ code, message }) => `${code} ${message}`)).toHaveLength(1);
    for (const error of errors) {
      expect(codes.has(error.code)).toBe(true);
      if (code === undefined) expect(error.expected ?? error.help?.[0]?.message, error.code).toBeDefined();
    }
    const [first] = errors;
    const under = first?.source.text.slice(first.span.start, first.span.end);
    if (code !== undefined) expect([first?.code, under]).toEqual([code, at]);
    for (const pattern of says) expect(first && wordsOf(first)).toMatch(new RegExp(pattern));
  });

  it("is mended by each suggestion that an editor may take", () => {
    const failed = mistakes.flatMap((verdict) => {
      const text = wholeText(verdict);
      const errors = errorsOf(ours(verdict));
      const fixes = errors.flatMap(({ help = [] }) => help.flatMap(({ replace }) => (replace ? [replace] : [])));
      return fixes.flatMap(({ span, text: put }) => {
        const taken = text.slice(0, span.start) + put + text.slice(span.end);
        const left = errorsOf(outcomeOf({ ...verdict, in: "file", text: taken }));
        return left.length < errors.length || verdict.several ? [] : [`${nameOf(verdict)}: ${left[0]?.message}`];
      });
    });
    expect(failed).toEqual([]);
  });
});

it.each(readVerdicts("notes.jsonl").map((each) => [each.text, each] as const))("%s draws a note, or one error", (_, verdict) => {
  const { code = "" } = verdict;
  const { diagnostics } = ours(verdict);
  expect(diagnostics.map((each) => each.code)).toContain(code);
  expect(codesOf(verdict)).toEqual(code.startsWith("PTX9") ? [] : [code]);
}); // biome-ignore format: one line

describe("words", () => {
  const world = new World();
  afterAll(() => world.remove());
  world.write("s.ptx", "add.u32 d, a, b;\n");
  world.write(
    "v.visaasm",
    wholeText({ ...words.at(-1)!, text: "add (M1, 16) C(0,0)<1> A(0,0)<16;16,1> A(0,0)<16;16,1>" }),
  );
  world.write(
    "k.ptx",
    `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u32 n)
{
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [n];
  st.global.u32 [%rd1], %r1;
  ret;
}
`,
  );

  /** What the command line says: of its words, of a golden check of s.ptx, at the prompt of its REPL, of a line of vISA. */
  async function told(verdict: Verdict): Promise<readonly [title: string, exit: number, said: string]> {
    const { text } = verdict;
    const command = async (argv: readonly string[], stdin = "") => {
      const { exit, out, err } = await world.ptxrun([...argv], { stdin });
      return [exit, argv[0] === "check" || argv[0] === "repl" ? out + err : err] as const;
    };
    switch (verdict.in) {
      case "command": {
        const argv = [...text.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
        return [`ptxrun ${argv.join(" ")}`, ...(await command(argv))];
      }
      case "directive":
        world.write("c.ptx", `//@ ${text}\nadd.u32 d, a, b;\n`);
        return [`//@ ${text}`, ...(await command(["check", "c.ptx"]))];
      case "REPL":
        return [`(ptxrun) ${text}`, ...(await command(["repl", "s.ptx", "-r", "a=1", "-r", "b=2"], `${text}\n`))];
      default:
        world.write("w.visaasm", wholeText(verdict));
        return [`vISA ${text}`, ...(await command(["lint", "w.visaasm"]))];
    }
  }

  it("are those that somebody has read: UPDATE=1 writes tests/data/verdicts/words.txt anew", async () => {
    const golden = new URL("../data/verdicts/words.txt", import.meta.url);
    // All of them where they are written anew.
    const asked = process.env["UPDATE"] ? words : share(words, 6);
    const said: string[] = [];
    const complaints: string[] = [];
    const tell = (title: string, words: string) => said.push(`== ${title}\n${words.trimEnd()}\n`);
    for (const verdict of asked) {
      if (isText(verdict)) tell(nameOf(verdict), renderDiagnostics(errorsOf(ours(verdict))));
      else {
        const [title, exit, words] = await told(verdict);
        tell(
          `${title} exits ${exit}`,
          words.replaceAll(world.folder, "FOLDER").replaceAll(/\b\d+(\.\d+)? m?s\b/g, "TIME"),
        );
        if (exit === 70 || (verdict.in !== "REPL" && (exit === 0 || words === "")))
          complaints.push(`${title}: ${exit}`);
      }
    }
    if (process.env["UPDATE"]) writeFileSync(golden, said.join("\n"));
    expect(complaints).toEqual([]);
    const read = readFileSync(golden, "utf8").split(/^(?=== )/m);
    expect(read).toHaveLength(words.length);
    expect(said.map((each) => each.trimEnd())).toEqual(asked.map((each) => read[words.indexOf(each)]?.trimEnd()));
  });
});

/** Least shares in a thousand of: one error, at the right place, with the right spelling. */
const least: Readonly<Record<string, readonly [single: number, placed: number, suggested: number]>> = {
  "a word said twice": [990, 990, 990],
  "a slip in a word": [985, 985, 960],
  "a slip in the name": [1000, 1000, 980],
  "a word left out": [970, 940, 940],
  // Some of few are then a conversion the other way that lacks a word.
  "two words that changed places": [990, 940, 950],
  "a word of another instruction": [980, 980, 980],
};

describe("a misspelt instruction", () => {
  it.each(share(Object.entries(least), 12))("%s", (name, rates) => {
    const asked = misspellings(name);
    const misses: string[] = [];
    const judged = asked.map((verdict) => {
      const { text, at = "", meant = "" } = verdict;
      const errors = errorsOf(outcomeOf(verdict)).filter(({ code }) => code !== "PTX1301");
      const [first] = errors;
      const under = text.slice(first?.span.start, first?.span.end);
      const said = first ? wordsOf(first) : "";
      const fix = first?.help?.find(({ replace }) => replace !== undefined)?.replace;
      const fixed = fix && text.slice(0, fix.span.start) + fix.text + text.slice(fix.span.end);
      const missing = meant.split(".");
      for (const word of text.slice(0, -1).split("."))
        if (missing.includes(word)) missing.splice(missing.indexOf(word), 1);
      const proposed = [first?.expected, ...(first?.help ?? []).map(({ message }) => message)].join(" ");
      const back =
        fixed === `${meant};` ||
        proposed.split(/[ ?]/).includes(meant) ||
        (missing.length > 0 && missing.every((word) => proposed.includes(word)));
      if (!back) misses.push(`${text} meant ${meant}: ${said}`);
      return [errors.length === 1, at.endsWith(under) || under.endsWith(at), back];
    });
    const shares = rates.map((_, index) =>
      Math.floor((1000 * judged.filter((each) => each[index]).length) / asked.length),
    );
    if (process.env["MISSPELT"]) console.log(name, asked.length, shares, misses.slice(0, 40).join("\n"));
    expect(asked.length).toBeGreaterThan(20);
    for (const [index, rate] of rates.entries())
      expect(shares[index], misses.slice(0, 40).join("\n")).toBeGreaterThanOrEqual(rate);
  });
});
