// Is one rounding better than two? All c for one a and b: fma against mul and add, judged in units in the last place.
import { functionOf } from "ptxrun/isa";
import { f16, fromBits, toBits, ulps } from "ptxrun/numeric";

const fma = functionOf("fma.rn.f16");
const mul = functionOf("mul.rn.f16");
const add = functionOf("add.rn.f16");

const a = toBits(f16, "1.1");
const b = toBits(f16, "0x1.4cp0");
let differ = 0;
let worst = { ulp: 0n, c: 0 };
for (let c = 0; c < 0x10000; c++) {
  const apart = ulps(f16, fma(a, b, c), add(mul(a, b), c));
  if (apart === undefined || apart === 0n) continue;
  differ += 1;
  if (apart > worst.ulp) worst = { ulp: apart, c };
}
console.log(`a = ${fromBits(f16, a)}, b = ${fromBits(f16, b)}`);
console.log(`${differ} of 65536 differ, ${worst.ulp} ulp at most, first at c = ${fromBits(f16, worst.c)}`);

// Every rounding of one number.
for (const rnd of ["rn", "rz", "rm", "rp"]) console.log(rnd, toBits(f16, "-0.1", rnd).toString(16));
