import { arithmetic } from "./arithmetic.ts";
import { control } from "./control.ts";
import type { Form } from "./define.ts";
import { logic } from "./logic.ts";
import { movement } from "./move.ts";

/** Every instruction that ptxrun executes. */
export const forms: readonly Form[] = [...arithmetic, ...logic, ...movement, ...control];

export const formNamed: ReadonlyMap<string, Form> = new Map(forms.map((form) => [form.mnemonic, form]));

/** Opcodes of vISA that ptxrun knows by name only: they pass the verifier, and meeting one ends the run. */
export const known: ReadonlySet<string> = new Set(
  `add3 addc_sat alloc bfe bfi bfn bfrev breakpoint call cbit cos dc deriv div divm dp4a dpas dpasw dpasu fbh fbl fcall fence
  fret frc ifcall inv invm lifetime line lod log lzd madm madw mulh nbarrier oword_ld oword_ld_unaligned oword_st pln pow
  raw_send raw_sends rndd rnde rndu rndz rol ror rsqtm rtwrite sad2 sad2add sample send sends sin sqrt sqrtm srnd subroutine
  svm svm_block_ld svm_block_st svm_gather svm_scatter svm_gather4scaled svm_scatter4scaled svm_atomic switchjmp wait yield
  barrier sbarrier dp2 dp3 dp4 dph exp rsqrt tanh plane scatter gather dword_atomic media_ld media_st vme_sic avs lrp`.split(
    /\s+/,
  ),
);
