/** A test point of a TAP 14 document. */
export interface Point {
  readonly ok: boolean;
  readonly description: string;
  /** Lines of the YAML block, without its indentation. */
  readonly block: readonly string[];
}

/** Reads a TAP 14 document without subtests by the grammar of testanything.org; throws for anything else. */
export function readTap(text: string): Point[] {
  if (!text.endsWith("\n")) throw new Error("the last line is not ended");
  const lines = text.slice(0, -1).split("\n");
  if (lines.shift() !== "TAP version 14") throw new Error("no version");
  const points: Point[] = [];
  let plan: number | undefined;
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    const point = /^(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*)$/.exec(line);
    if (plan !== undefined) {
      if (!line.startsWith("# ")) throw new Error(`behind the plan: ${line}`);
    } else if (point !== null) {
      const [, not, number, description = ""] = point;
      if (Number(number) !== points.length + 1) throw new Error(`${line}: a number out of turn`);
      const ok = not === undefined;
      points.push({ ok, description: description.replace(/\\([\\#])/g, "$1"), block: yaml(lines) });
    } else if (/^1\.\.\d+$/.test(line)) plan = Number(line.slice(3));
    else throw new Error(`not TAP: ${line}`);
  }
  if (plan !== points.length) throw new Error(`${points.length} points for a plan of ${plan}`);
  return points;
}

function yaml(lines: string[]): string[] {
  if (lines[0] !== "  ---") return [];
  lines.shift();
  const block: string[] = [];
  for (let line = lines.shift(); line !== "  ..."; line = lines.shift()) {
    // Keys with plain words, numbers or JSON's strings, lists of such, two spaces deep: the YAML that points need.
    const found = /^ {2}((?: {2})*(?:- )?\w+:)(?: (.*))?$/.exec(line ?? "");
    if (found === null) throw new Error(`not YAML: ${line}`);
    const value = found[2] ?? "";
    if (value.startsWith('"')) JSON.parse(value);
    else if (!/^\w*$/.test(value)) throw new Error(`not a plain scalar: ${value}`);
    block.push((line ?? "").slice(2));
  }
  return block;
}
