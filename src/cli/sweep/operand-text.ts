/** The operands of an instruction: cut at commas that stand outside of braces. */
export function operandsIn(text: string): string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? ",";
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (at < text.length && (character !== "," || depth > 0)) continue;
    found.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return found;
}

const NAMES = /\d[\w.]*|\.[\w]+|%?[A-Za-z_$][\w$]*/g;

/** An operand with `v_` before each register's name, which may be a word that PTX keeps for itself. */
export const renamed = (operand: string): string =>
  operand.replace(NAMES, (word) => (/^[\d.]/.test(word) || word === "_" ? word : `v_${word.replace(/^%/, "")}`));
