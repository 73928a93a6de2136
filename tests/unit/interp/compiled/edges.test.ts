import { expect, test } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

const [BLOCK, ODD] = [44, 13];
const BYTES = 1024;
const spaces = ["global", "shared", "local", "const", "param", "generic"] as const;
/** How much one thread reads and writes, and into which registers. */
const cells = [
  ["b8", 1, "h1"],
  ["v4.b32", 16, "{r1, r2, r3, r4}"],
] as const;

/** Each thread loads from, and where it can be stored to, stores to, `at + index * size`, thread 13 so many bytes beside that. */
function program(space: (typeof spaces)[number], [type, size, registers]: (typeof cells)[number]): string {
  const word = space === "generic" ? "" : `.${space}`;
  const base = { global: "g", shared: "s", local: "l", const: "k", param: "p", generic: "g" }[space];
  const isWritten = space !== "const" && space !== "param";
  const sum = { h1: "cvt.u64.u16 d3, h1;" }[registers as "h1"];
  const all = sum ?? "mov.b64 d3, {r1, r2}; mov.b64 d4, {r3, r4}; mad.lo.u64 d3, d4, 3, d3;";
  const body = (index: string): string => `${index} mul.wide.u32 w, i, ${size}; mov.u64 a, ${base}; add.u64 a, a, w;
    @z add.u64 a, a, beside; ld${word}.${type} ${registers}, [a]; ${all} mad.lo.u64 all, all, 31, d3;
    ${isWritten ? `@u st${word}.${type} [a+${size}], ${registers};` : ""}`;
  return `.version 8.0 .target sm_80 .address_size 64
    .global .align 16 .b8 g[${BYTES}]; .const .align 16 .b8 k[${BYTES}];
    .entry e(.param .b64 out, .param .b64 off, .param .align 16 .b8 p[${BYTES}])
    { .shared .align 16 .b8 s[${BYTES}]; .local .align 16 .b8 l[${BYTES}];
    .reg .b16 h1; .reg .b32 t, i, r<9>; .reg .b64 o, w, a, all, beside, d<9>; .reg .pred z, u, more;
    ld.param.b64 o, [out]; ld.param.b64 beside, [off]; mov.u32 t, %tid.x; setp.eq.u32 z, t, ${ODD}; setp.ne.u32 u, t, 3; mov.u64 all, 0;
    mov.u32 i, t; FILL: mul.wide.u32 w, i, 4; mov.u64 a, s; add.u64 a, a, w; st.shared.u32 [a], i; mov.u64 a, g; add.u64 a, a, w;
    st.global.u32 [a], i; add.u32 i, i, ${BLOCK}; setp.lt.u32 more, i, ${BYTES / 4}; @more bra FILL; bar.sync 0;
    mov.u32 i, 0; OWN: mul.wide.u32 w, i, 4; mov.u64 a, l; add.u64 a, a, w; st.local.u32 [a], i; add.u32 i, i, 1;
    setp.lt.u32 more, i, ${BYTES / 4}; @more bra OWN;
    ${body("mov.u32 i, t;")} bar.sync 0; ${body("xor.b32 i, t, 5;")} bar.sync 0; ${body("mov.u32 i, 7;")}
    mul.wide.u32 w, t, 8; add.u64 o, o, w; st.global.u64 [o], all; ret; }`;
}

function results(text: string, beside: bigint, executor: Executor) {
  const device = new Device({ maxMemory: 1 << 22 });
  const out = device.buffer(new Uint8Array(8 * BLOCK));
  const kernel = must(must(device.module(text)).kernel("e"));
  const bytes = Uint8Array.from({ length: BYTES }, (_, at) => 3 * at + 1);
  const { stop, findings, session } = must(kernel.launch({ block: BLOCK, args: [out, beside, bytes], executor }))!;
  return {
    stop: stop.reason === "trap" ? [stop.diagnostic.code, stop.diagnostic.message, stop.at, stop.pc] : stop.reason,
    findings: findings.map(({ code, message }) => `${code} ${message}`),
    steps: session.steps,
    out: [...new BigUint64Array(out.read().buffer)],
  };
}

test.each(spaces.flatMap((space) => cells.map((cell) => [space, cell[0], cell] as const)))(
  "compiled code finds what lies at, within and beyond the edges of .%s memory, by %s",
  (space, _, cell) => {
    const text = program(space, cell);
    const [size, own] = [cell[1], ODD * cell[1]];
    const edges = [
      0,
      size,
      -own,
      -own - size,
      BYTES - own - size,
      BYTES - own,
      BYTES - own - Math.ceil(size / 2),
      1,
      2,
    ];
    const far = [2n ** 31n, 2n ** 32n, -(2n ** 32n)].map((each) => BigInt.asUintN(64, each));
    const reasons = new Set<string>();
    for (const beside of [...edges.map((each) => BigInt.asUintN(64, BigInt(each))), ...far]) {
      const wanted = results(text, beside, javascript);
      expect([beside, results(text, beside, compiled)]).toEqual([beside, wanted]);
      reasons.add(String(wanted.stop));
    }
    expect(reasons.size).toBeGreaterThan(2);
    expect(reasons).toContain("exit");
  },
);
