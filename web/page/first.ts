import { emptyInputs } from "./bench.ts";
import type { Project } from "./client.ts";

/** What a first visitor finds: lanes that leave a loop at different times, and a result in memory. */
export const first: Project = {
  name: "collatz.ptx",
  text: `// 32 threads, a number each: how many steps to 1?
// Even: halve it. Odd: triple it, add 1 (Collatz).
// It has run: drag the slider back in time.

      mov.u32       %i, %tid.x;
      add.u32       %n, %i, 1;      // my number
      mov.u32       %steps, 0;
loop: setp.eq.u32   %done, %n, 1;
      @%done bra    end;            // lanes part
      and.b32       %odd, %n, 1;
      setp.eq.u32   %even, %odd, 0;
      @%even  shr.u32    %n, %n, 1;
      @!%even mad.lo.u32 %n, %n, 3, 1;
      add.u32       %steps, %steps, 1;
      bra           loop;
end:  mad.wide.u32  %at, %i, 4, %result;
      st.global.u32 [%at], %steps;  // result[i]
`,
  inputs: { ...emptyInputs, block: "32", values: { "%result": "u32x32:fill=0" } },
};
