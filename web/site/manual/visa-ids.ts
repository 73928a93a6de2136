import { forms } from "../../../packages/visa/src/isa/table.ts";
import { slug } from "../html.ts";

/** The address of each instruction on vISA's page; where several texts have one name, the others are numbered. */
export const visaIds: readonly string[] = forms.map(({ mnemonic }, at) => {
  const before = forms.slice(0, at).filter((form) => form.mnemonic === mnemonic).length;
  return before === 0 ? slug(mnemonic) : `${slug(mnemonic)}-${before + 1}`;
});
