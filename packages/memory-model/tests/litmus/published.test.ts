import { describe, expect, test } from "vitest";
import { Source } from "../../../../src/source/source.ts";
import { readPublished } from "../../litmus/published/read-published.ts";
import { judge, prepare } from "../../litmus/verdict.ts";
import { usualBounds } from "../../model/enumerate.ts";

/** The verdict on a text; an error where it cannot be read. */
function verdict(text: string) {
  const { value, diagnostics } = readPublished(new Source("t.litmus", text));
  if (!value) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join("; "));
  const { ready, diagnostics: wrong } = prepare(value);
  if (!ready) throw new Error(wrong.map(({ code, message }) => `${code} ${message}`).join("; "));
  return judge(ready, usualBounds);
}

const mp = `PTX mp-release-acquire
"Message passing; ~exists is true"
{
x = 0; flag = 0;  // memory
P1:r0 = 0; P1:r1 = 0;
}
 P0@cta 0,gpu 0        | P1@cta 1,gpu 0          ;
 st.weak x, 1          | ld.acquire.gpu r0, flag ;
 st.release.gpu flag, 1| ld.weak r1, x           ;
~exists
(P1:r0 == 1 /\\ P1:r1 != 1)
`;

describe("the published format", () => {
  test("runs as it is", () => {
    const { holds, states, complete } = verdict(mp);
    expect(holds).toBe(true);
    expect(complete).toBe(true);
    expect(states.map(({ values }) => Object.fromEntries(values))).toEqual([
      { "P1:r0": 0n, "P1:r1": 0n },
      { "P1:r0": 0n, "P1:r1": 1n },
      { "P1:r0": 1n, "P1:r1": 1n },
    ]);
  });

  test("says no where the outcome is there", () => {
    expect(verdict(mp.replace("st.release.gpu", "st.relaxed.gpu")).holds).toBe(false);
    expect(verdict(mp.replace("ld.acquire.gpu", "ld.acquire.cta")).holds).toBe(false);
    expect(verdict(mp.replace("P1@cta 1,gpu 0", "P1@cta 1,gpu 1")).holds).toBe(false);
  });

  test("knows atomics, arithmetic, loops, branches and labels", () => {
    const { holds, bounded } = verdict(`PTX spin
{ x = 0; lock = 0; }
 P0@cta 0,gpu 0                     | P1@cta 0,gpu 0 ;
 LC00:                              | LC10: ;
 atom.acquire.gpu.cas r0, lock, 0, 1 | atom.acquire.gpu.cas r0, lock, 0, 1 ;
 bne r0, 0, LC00                    | bne r0, 0, LC10 ;
 ld.weak r1, x                      | ld.weak r1, x ;
 add r2, r1, 1                      | add r2, r1, 1 ;
 st.weak x, r2                      | st.weak x, r2 ;
 atom.release.gpu.exch r3, lock, 0  | atom.release.gpu.exch r3, lock, 0 ;
forall
(x == 2)`);
    expect(holds).toBe(true);
    expect(bounded).toBe(true);
  });

  test("knows other names of memory, and their fences", () => {
    const text = (fence: string) => `PTX alias
{
x = 0;
s @ surface aliases x;
P0:r0 = 0;
}
 P0@cta 0,gpu 0 ;
 st.weak x, 1 ;
 ${fence} ;
 suld.weak r0, s ;
forall (P0:r0 == 1)`;
    expect(verdict(text("fence.proxy.surface")).holds).toBe(true);
    expect(verdict(text("fence.sc.sys")).holds).toBe(false);
  });

  test("knows pointers, arrays, filters and several conditions", () => {
    const { holds } = verdict(`PTX pointers (* a pointer is read, then what it points to *)
{
y = 7; p = x; a[4]; a[2] = 5; P1:q = 0;
}
 P0               | P1 ;
 st.weak y, 1     | ld.relaxed.sys q, p ;
 st.relaxed p, &y | ld.weak r, q   ;
                  | ld.weak r2, a[2] ;
filter (P1:q == &y)
exists (P1:r == 7 /\\ P1:r2 == 5)
~exists (P1:r2 != 5)
forall (P1:r = 7 \\/ P1:r = 1)`);
    expect(holds).toBe(true);
  });

  test("knows barriers, with the threads of their block", () => {
    const text = (place: string) => `PTX barrier
{ x = 0; }
P0@cta 0,gpu 0 | P1@${place} ;
st.weak x, 1   | bar.cta.sync 0 ;
bar.cta.sync 0 | ld.weak r0, x ;
forall (P1:r0 == 1)`;
    expect(verdict(text("cta 0, gpu 0")).holds).toBe(true);
    expect(verdict(text("cta 1, gpu 0")).holds).toBe(false);
  });

  test.each([
    ["PTX1910", "PTX nothing"],
    ["PTX1911", mp.replace("x = 0;", "x := 0;")],
    ["PTX1912", mp.replace("cta 1,", "block 1,")],
    ["PTX1913", mp.replace("r1, x           ;", "r1, x | st.weak x, 1 ;")],
    ["PTX1914", mp.replace("ld.acquire", "ldx.acquire")],
    ["PTX1915", mp.replace("ld.weak r1, x", "ld.weak r1")],
    ["PTX1916", mp.replace("ld.weak r1, x", "goto LC01")],
    ["PTX1903", mp.slice(0, mp.lastIndexOf("~exists"))],
    ["PTX1901", mp.replace("==", "=:")],
    ["PTX1902", mp.replace("P1:r0 ==", "P2:r0 ==")],
  ])("%s: a wrong text is refused", (code, text) => {
    expect(() => verdict(text)).toThrow(code);
  });
});
