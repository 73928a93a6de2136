/**
 * A kernel that does so to several buffers, one step behind the other, and leaves what it has read in `out`. Where it does it, by
 * thread and step, stands in `script`: u32 offsets, those of a step behind each other. Steps are as `ld.u32 1`: an operation, and the
 * number of a buffer.
 */
export function kernelText(steps: readonly Step[], buffers: number): string {
  const names = Array.from({ length: buffers }, (_, index) => `b${index}`);
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(${["script", "out", ...names].map((name) => `.param .u64 ${name}`).join(", ")}) {
  .reg .b32 %o, %t, %n, %w;
  .reg .b64 %sum, %v, %w2, %d, %a, %script, %out${names.map((name) => `, %${name}`).join("")};
${["script", "out", ...names].map((name) => `  ld.param.u64 %${name}, [${name}];`).join("\n")}
  mov.u32 %t, %tid.x;
  mov.u32 %n, %ntid.x;
  mul.wide.u32 %d, %t, 4;
  add.u64 %script, %script, %d;
  mul.wide.u32 %d, %t, 8;
  add.u64 %out, %out, %d;
  mul.wide.u32 %d, %n, 4;
  cvt.u64.u32 %sum, %t;
${steps.map(body).join("\n")}
  st.global.u64 [%out], %sum;
  ret;
}
`;
}

/** What a step does. */
export interface Step {
  readonly operation: Operation;
  readonly buffer: number;
}

const operations = {
  "ld.u8": "ld.global.u8 %v, [%a];",
  "ld.u32": "ld.global.u32 %v, [%a];",
  "ld.u64": "ld.global.u64 %v, [%a];",
  "ld.v2.u64": "ld.global.v2.u64 {%v, %w2}, [%a]; xor.b64 %v, %v, %w2;",
  "st.u8": "st.global.u8 [%a], %sum;",
  "st.u32": "st.global.u32 [%a], %sum;",
  "st.v2.u64": "st.global.v2.u64 [%a], {%sum, %v};",
  "atom.u32": "cvt.u32.u64 %w, %sum; atom.global.add.u32 %w, [%a], %w; cvt.u64.u32 %v, %w;",
} as const;
export type Operation = keyof typeof operations;
export const operationNames: readonly Operation[] = Object.keys(operations) as Operation[];

const body = ({ operation, buffer }: Step): string => `  ld.global.u32 %o, [%script];
  add.u64 %script, %script, %d;
  cvt.u64.u32 %a, %o;
  add.u64 %a, %a, %b${buffer};
  mov.u64 %v, 7;
  ${operations[operation]}
  mad.lo.u64 %sum, %sum, 0x9e3779b97f4a7c15, %v;`;
