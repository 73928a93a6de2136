import {
  attribute,
  bulkPolicy,
  bulkSize,
  mask16,
  overridingPlace,
  rubin,
  sharedPlace,
  specificToo,
  withWord,
} from "../form/bulk-operands.ts";
import { registerOf } from "../form/classes.ts";
import { type Conflict, form, manual, type Section, type Since, section, unspecified } from "../form/define.ts";
import type { AddressClass, LiteralClass } from "../form/operands.ts";
import { together } from "../form/since.ts";

const since = { ptx: 93, sm: 100 } as const;
const bytes = ["mbarrier::complete_tx::bytes"] as const;
const chunks = ["mbarrier::complete_tx::16B"] as const;
const report = ["mbarrier::report::fabric"] as const;
const hint = ["L2::cache_hint"] as const;
const everyLane: LiteralClass = { kind: "literal", bits: 32, only: 0xffff_ffff };

/** A place within a logical endpoint: its number and an offset, and behind them the offset of a counter. */
const le = registerOf("u32");
const off = registerOf("u64");

const sinceHint = ({ hint }: { readonly hint: string | undefined }): Since =>
  together(since, hint !== undefined && { ptx: 94, sm: 100 });

/** What every operation on an endpoint has in common: it is checked and not executed. */
const endless = [
  unspecified(
    "only the driver makes logical endpoints, and a device here has none: the instruction is checked, and a run ends at it with exit code 5",
  ),
];

type Types = Readonly<Record<string, readonly string[]>>;
const bits = ["b32", "b64"];
const unless = (types: Types, op: string, type: string): Conflict | undefined =>
  types[op]?.includes(type) ? undefined : ["", `.${op}.${type}: .${op} is for .${types[op]?.join(", .")}`];

const ordered = ["u32", "s32", "u64", "s64", "f16", "bf16"];
const reduced: Types = {
  and: bits, or: bits, xor: bits, min: ordered, max: ordered, add: ["u32", "u64", "f16", "bf16", "f32", "f64"],
}; // biome-ignore format: a table
const pulled: Types = {
  and: bits, or: bits, xor: bits, min: [...ordered, "e4m3", "e5m2"], max: [...ordered, "e4m3", "e5m2"],
  add: ["u32", "u64", "f16", "bf16", "f32"], "add.acc::f16": ["e4m3", "e5m2"], "add.acc::f32": ["f16", "bf16"],
}; // biome-ignore format: a table
const updated = ["u32", "u64", "f16x2", "bf16x2"];
const exchanged = [...bits, "b128"];
const atomic: Types = {
  and: bits, or: bits, xor: bits, exch: exchanged, cas: exchanged, min: updated, max: updated,
  add: [...updated, "f32", "f64"],
}; // biome-ignore format: a table

const op = ["and", "or", "xor", "min", "max", "add"] as const;
const type = ["b32", "b64", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"] as const;
const dim = ["1d", "2d", "3d", "4d", "5d"] as const;
const mode = ["tiled", "tile"] as const;
const anyHint = ["l2::cache_hint", "L2::cache_hint"] as const;
type Attribute = (typeof attribute)[number] | undefined;

/** `[map, le, off, counter, sizes, strides, {c0, c1}]`. */
const tensor = (
  words: { readonly dim: (typeof dim)[number]; readonly attribute: Attribute },
  counted: boolean,
): AddressClass =>
  overridingPlace(Number(words.dim[0]), [le, off, ...(counted ? [off] : [])], words.attribute !== undefined);
const sized = (words: { readonly dim: string; readonly attribute: Attribute }): Conflict | undefined =>
  words.attribute !== undefined && (words.dim === "1d") !== (words.attribute === "override::global_dim")
    ? [words.attribute, `.${words.dim}, which has ${words.dim === "1d" ? "no" : "a"} stride`]
    : undefined;
const spellings = [
  ...endless,
  manual("syntax lines have .tiled and .l2::cache_hint, examples also .tile and .L2::cache_hint: both are accepted"),
];

const nothing = (why: string) => ({ shape: "nothing", why: `no operation on an endpoint ${why}` }) as const;
const after = (line: string) => ({ snippet: `.reg .b32 d; mov.b32 d, 7; ${line}`, gives: { d: 7 } });

export const fabric: Section = section(
  "fabric",
  [
    form(
      "fabric.try_get.async.shared::cta.completion.report{.hint}.relaxed.sys.b128 [d], [le, off], n, [mbar]{, policy}",
      {
        where: { completion: bytes, report, hint },
        operands: ({ hint }) => ({ d: sharedPlace, le, off, n: bulkSize, mbar: sharedPlace, policy: bulkPolicy(hint) }),
        since: sinceHint,
        facts: endless,
      },
    ),
    form(
      "fabric.try_put.async{.multimem}.shared::cta.completion.report{.hint}{.cp_mask}.relaxed.sys.b128 [le, off], [a], n, [mbar]{, bytes}{, policy}",
      {
        where: { completion: chunks, report, hint },
        operands: ({ hint, cp_mask }) => ({
          le,
          off,
          a: sharedPlace,
          n: bulkSize,
          mbar: sharedPlace,
          bytes: withWord(cp_mask, ".cp_mask", mask16),
          policy: bulkPolicy(hint),
        }),
        since: sinceHint,
        facts: endless,
      },
    ),
    form(
      "fabric.try_put.async{.multimem}.shared::cta.completion.report.counted::bytes{.hint}.relaxed.sys.b128 [le, off, counter], [a], n, [mbar]{, policy}",
      {
        where: { completion: chunks, report, hint },
        operands: ({ hint }) => ({
          le,
          off,
          counter: off,
          a: sharedPlace,
          n: bulkSize,
          mbar: sharedPlace,
          policy: bulkPolicy(hint),
        }),
        since: sinceHint,
        facts: endless,
      },
    ),
    form(
      "fabric.try_red.async{.multimem}.shared::cta.completion.report{.hint}.relaxed.sys.op.type [le, off], [a], n, [mbar]{, policy}",
      {
        where: { completion: chunks, report, hint, op, type },
        operands: ({ hint }) => ({ le, off, a: sharedPlace, n: bulkSize, mbar: sharedPlace, policy: bulkPolicy(hint) }),
        since: sinceHint,
        conflict: ({ op, type }) => unless(reduced, op, type),
        facts: endless,
      },
    ),
    form(
      "fabric.try_red.async{.multimem}.shared::cta.completion.report.counted::bytes{.hint}.relaxed.sys.op.type [le, off, counter], [a], n, [mbar]{, policy}",
      {
        where: { completion: chunks, report, hint, op, type },
        operands: ({ hint }) => ({
          le,
          off,
          counter: off,
          a: sharedPlace,
          n: bulkSize,
          mbar: sharedPlace,
          policy: bulkPolicy(hint),
        }),
        since: sinceHint,
        conflict: ({ op, type }) => unless(reduced, op, type),
        facts: endless,
      },
    ),
    form(
      "fabric.try_pullred.async.multimem.shared::cta.completion.report.relaxed.sys.op{.acc}.type.sync [d], [le, off], n, [mbar], mask",
      {
        where: { completion: bytes, report, op, acc: ["acc::f16", "acc::f32"], type: [...type, "e4m3", "e5m2"] },
        operands: { d: sharedPlace, le, off, n: bulkSize, mbar: sharedPlace, mask: everyLane },
        since: ({ acc, type }) =>
          together(since, (acc !== undefined || type === "e4m3" || type === "e5m2") && specificToo),
        conflict: ({ op, acc, type }) =>
          acc !== undefined && op !== "add"
            ? [acc, `.${op}: only .add has an intermediate sum`]
            : unless(pulled, acc === undefined ? op : `${op}.${acc}`, type),
        facts: endless,
      },
    ),
    form("fabric.submit{.op_restrict::fetching}", {
      operands: {},
      since,
      run: () => nothing("is there to be submitted"),
      check: [after("fabric.submit;"), after("fabric.submit.op_restrict::fetching;")],
      facts: [unspecified("a device has no endpoints, so nothing was asked for before it")],
    }),
    form("fabric.wait.sync_restrict::reads", {
      operands: {},
      since,
      run: () => nothing("reads shared memory"),
      check: [after("fabric.wait.sync_restrict::reads;")],
      facts: [unspecified("a device has no endpoints, so nothing was asked for before it")],
    }),
    form(
      "fabric.try_get.async.tensor.dim.shared::cta{.mode}.completion.report{.hint}.override::global_address{.attribute}.relaxed.sys.b128 [d], [t], [mbar]{, policy}",
      {
        where: { dim, mode, completion: bytes, report, hint: anyHint, attribute },
        operands: (words) => ({
          d: sharedPlace,
          t: tensor(words, false),
          mbar: sharedPlace,
          policy: bulkPolicy(words.hint),
        }),
        since: rubin,
        conflict: sized,
        facts: spellings,
      },
    ),
    form(
      "fabric.try_put.async.tensor{.multimem}.dim.shared::cta{.mode}.completion.report{.counted::bytes}{.hint}.override::global_address{.attribute}.relaxed.sys.b128 [t], [a], n, [mbar]{, policy}",
      {
        where: { dim, mode, completion: chunks, report, hint: anyHint, attribute },
        operands: (words) => ({
          t: tensor(words, words["counted::bytes"]),
          a: sharedPlace,
          n: bulkSize,
          mbar: sharedPlace,
          policy: bulkPolicy(words.hint),
        }),
        since: rubin,
        conflict: sized,
        facts: spellings,
      },
    ),
    form(
      "fabric.try_red.async.tensor{.multimem}.dim.shared::cta{.mode}.completion.report{.counted::bytes}{.hint}.override::global_address{.attribute}.relaxed.sys.op [t], [a], n, [mbar]{, policy}",
      {
        where: { dim, mode, completion: chunks, report, hint: anyHint, attribute, op },
        operands: (words) => ({
          t: tensor(words, words["counted::bytes"]),
          a: sharedPlace,
          n: bulkSize,
          mbar: sharedPlace,
          policy: bulkPolicy(words.hint),
        }),
        since: rubin,
        conflict: sized,
        facts: [...spellings, manual("a .type stands in the syntax line and in no example: the map has it")],
      },
    ),
    form(
      "fabric.try_atom.async.shared::cta.completion.report{.hint}.relaxed.sys.op.type [le, off], [d], [a], [mbar]{, policy}",
      {
        where: {
          completion: chunks,
          report,
          hint,
          op: [...op, "exch", "cas"],
          type: ["b32", "b64", "b128", "u32", "u64", "f16x2", "bf16x2", "f32", "f64"],
        },
        operands: ({ hint }) => ({
          le,
          off,
          d: sharedPlace,
          a: sharedPlace,
          mbar: sharedPlace,
          policy: bulkPolicy(hint),
        }),
        since: { ptx: 94, sm: 100 },
        conflict: ({ op, type }) => unless(atomic, op, type),
        facts: endless,
      },
    ),
  ],
  {
    "": "fabric.try_get=try_get fabric.try_put=try_put fabric.try_red=try_red fabric.try_pullred=try_pullred fabric.submit=submit fabric.wait=wait fabric.try_get.async.tensor=try_get.async.tensor fabric.try_put.async.tensor=try_put.async.tensor fabric.try_red.async.tensor=try_red.async.tensor fabric.try_atom=try_atom",
  },
);
