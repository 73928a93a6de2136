import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formsOf, table } from "../../../src/isa/index.ts";

/** The anchors of the manual's instructions. */
const known = new Set(
  readFileSync(join(import.meta.dirname, "../../data/manual-anchors.txt"), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => {
      const [prefix, names = ""] = line.split(": ");
      return names.split(" ").map((name) => `${prefix}-${name}`);
    }),
);

it("every form names a section that the manual has", () => {
  const named = table.flatMap(({ forms }) => forms.map(({ manual }) => manual));
  expect([...new Set(named)].filter((anchor) => !known.has(anchor))).toEqual([]);
});

/** Of the sections that are for several instructions, or for one of several: by the beginning of a syntax line. */
it.each([
  ["fence{.sem}", "-instructions-membar"],
  ["membar.", "-instructions-membar"],
  ["barrier{.cta}.sync", "-instructions-bar"],
  ["barrier.cluster", "-instructions-barrier-cluster"],
  ["bar.warp.sync", "-instructions-bar-warp-sync"],
  ["elect.sync", "-instructions-elect-sync"],
  ["vote.sync", "-instructions-vote-sync"],
  ["vote.mode", "-instructions-vote"],
  ["wgmma.fence", "asynchronous-warpgroup-level-matrix-instructions-wgmma-fence"],
  ["wgmma.mma_async.sp", "asynchronous-warpgroup-level-matrix-instructions-wgmma-mma-sp"],
  ["mma.spvariant", "warp-level-matrix-instructions-sparse-mma"],
  ["cp.async.bulk.wait_group", "-instructions-cp-async-bulk-wait-group"],
  ["cp.async.mbarrier", "communication-instructions-cp-async-mbarrier-arrive"],
  ["red.async", "communication-instructions-red-async"],
  ["red{.sem}", "communication-instructions-red"],
  ["st.bulk", "conversion-instructions-st-bulk"],
  ["st{.weak}", "conversion-instructions-st"],
  ["ld{.weak}.ss{.cop}.nc", "conversion-instructions-ld-global-nc"],
  ["tcgen05.commit", "tcgen-async-sync-operations-commit"],
  ["tcgen05.ld.red", "tcgen05-instructions-tcgen05-ld"],
  ["setp.CmpOp{.ftz}.f16x2", "half-precision-comparison-instructions-setp"],
  ["setp.CmpOp{.ftz}.f32", "comparison-and-selection-instructions-setp"],
  ["suld", "surface-instructions-suld"],
  ["vmax4", "simd-video-instructions-vadd4-vsub4-vavrg4-vabsdiff4-vmin4-vmax4"],
])("%s is in %s", (begins, anchor) => {
  const [mnemonic = ""] = begins.split(/[.{]/);
  const forms = formsOf(mnemonic).filter(({ syntax }) => syntax.startsWith(begins));
  expect(new Set(forms.map(({ manual }) => manual.endsWith(anchor)))).toEqual(new Set([true]));
});
