import { expect, test } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

const [POINTERS, WORDS, BLOCK] = [12, 256, 32];
const all = Array.from({ length: POINTERS }, (_, at) => at);

/** Reads a word of each buffer, and writes it to the one behind it, round after round. */
const text = `.version 8.0 .target sm_80 .address_size 64
.entry k(.param .b64 out, ${all.map((at) => `.param .b64 p${at}`).join(", ")})
{
  .reg .b32 t, i, r, s; .reg .b64 o, w, d<${POINTERS}>; .reg .pred q;
  ld.param.b64 o, [out]; ${all.map((at) => `ld.param.b64 d${at}, [p${at}];`).join(" ")}
  mov.u32 t, %tid.x; mov.u32 i, t; mov.u32 s, 0; mul.wide.u32 w, t, 4; add.u64 o, o, w;
  ${all.map((at) => `add.u64 d${at}, d${at}, w;`).join(" ")}
  LOOP: ${all
    .map(
      (at) => `ld.global.u32 r, [d${at}]; mad.lo.u32 s, s, 31, r;
        ${at % 3 === 0 ? `st.global.u32 [d${(at + 1) % POINTERS}], s;` : ""} add.u64 d${at}, d${at}, ${4 * BLOCK};`,
    )
    .join("\n")}
  add.u32 i, i, ${BLOCK}; setp.lt.u32 q, i, ${WORDS}; @q bra LOOP;
  st.global.u32 [o], s; ret;
}`;

/** `short`: the buffer of which the last words are not initialised. */
function results(short: number, executor: Executor) {
  const device = new Device({ maxMemory: 4 << 20 });
  const out = device.buffer(new Uint8Array(4 * BLOCK));
  const buffers = all.map((at) => {
    const buffer = device.buffer(4 * WORDS);
    const known = at === short ? WORDS - 40 : WORDS;
    buffer.write(Uint32Array.from({ length: known }, (_, word) => 1000 * at + word));
    return buffer;
  });
  const kernel = must(must(device.module(text)).kernel("k"));
  const { stop, findings } = must(kernel.launch({ block: BLOCK, args: [out, ...buffers], executor }))!;
  return {
    stop: stop.reason,
    findings: findings.map(({ code, message }) => `${code} ${message}`),
    out: [...new Uint32Array(out.read().buffer)],
    buffers: buffers.map((buffer) => (executor === javascript || short < 0 ? buffer.toBits("u32").join() : "")),
  };
}

test("what is known of one pointer's memory is not taken for that of another", () => {
  expect(results(-1, compiled)).toEqual(results(-1, javascript));
  for (const short of all) {
    const { buffers: _, ...wanted } = results(short, javascript);
    // What the store before it has written, is initialised.
    expect(wanted.findings.length > 0).toBe(short % 3 !== 1);
    expect([short, results(short, compiled)]).toMatchObject([short, wanted]);
  }
});

test("what was known of memory does not hold once it has been given back", () => {
  const heap = `.version 8.0 .target sm_80 .address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.entry k(.param .b64 out)
{
  .reg .b32 i, s; .reg .b64 o, m, a; .reg .pred q; .param .b64 n; .param .b64 r;
  ld.param.b64 o, [out];
  st.param.b64 [n], 4096; call (r), malloc, (n); ld.param.b64 m, [r];
  mov.b64 a, m; mov.u32 i, 0;
  LOOP: st.u32 [a], i; ld.u32 s, [a]; add.u64 a, a, 4; add.u32 i, i, 1; setp.lt.u32 q, i, 64; @q bra LOOP;
  st.global.u32 [o], s;
  mov.u32 i, 0; mov.b64 a, m;
  st.param.b64 [n], m; call free, (n);
  AGAIN: ld.u32 s, [a]; add.u32 i, i, 1; setp.lt.u32 q, i, 2; @q bra AGAIN;
  st.global.u32 [o+4], 1;
  ret;
}`;
  const [js, wasm] = [javascript, compiled].map((executor) => {
    const device = new Device({ maxMemory: 16 << 20 });
    const out = device.buffer(new Uint8Array(8));
    const kernel = must(must(device.module(heap)).kernel("k"));
    const { stop } = must(kernel.launch({ args: [out], executor, heap: 1 << 16 }))!;
    return [stop.reason, stop.reason === "trap" && stop.diagnostic.message, out.toBits("u32")];
  });
  expect(js).toEqual(["trap", expect.stringContaining("reads 4 bytes"), [63n, 0n]]);
  expect(wasm).toEqual(js);
});
