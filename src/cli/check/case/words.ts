import { problem } from "../../../host/problem.ts";
import { load } from "../../../launch/program.ts";
import { readAssignment } from "../../../launch/value/assignment.ts";
import { nearest } from "../../../resolve/nearest.ts";
import { hasErrors, type Staged } from "../../../source/diagnostic.ts";
import { readDirectives } from "../file/gather.ts";
import { readChecked } from "../file/path.ts";
import { readArgs } from "../options.ts";
import { inputKind } from "./case.ts";
import { launchWords } from "./repeat.ts";

/**
 * The options of `run` that launch a case of a file or of its sidecar: the one that is named, or the first. A case of several
 * launches is refused.
 */
export function wordsOfCase(
  file: string,
  name: string | undefined,
  cwd: string,
): Staged<readonly string[] | undefined> {
  const { value: checked, diagnostics: unread } = readChecked({ path: file }, { cwd });
  if (checked === undefined) return { value: undefined, diagnostics: unread };
  const { source, sidecar } = checked;
  const { cases, diagnostics } = readDirectives(source, sidecar);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const line = name === undefined ? cases[0] : cases.find((each) => each.name === name);
  if (line === undefined) {
    const names = cases.map((each) => each.name);
    const meant = name === undefined ? undefined : nearest(name, names);
    const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
    const expected = names.length === 0 ? "a line //@ case NAME: INPUTS -> EXPECTATIONS" : names.slice(0, 8).join(", ");
    const place = { source, span: { start: 0, end: 0 }, expected, help };
    const what = name === undefined ? "no case" : `no case ${name}`;
    return { value: undefined, diagnostics: [problem("PTX2003", `${source.name} has ${what}`, place)] };
  }
  if (line.launches.length > 0) {
    const place = { source: line.source, span: line.span, expected: "a case of one launch" };
    return { value: undefined, diagnostics: [problem("PTX2003", `case ${line.name} has several launches`, place)] };
  }
  const { value: options, diagnostics: wrong } = readArgs(line.source, line.args);
  if (options === undefined) return { value: undefined, diagnostics: wrong };
  const { value: loaded, diagnostics: rejected } = load(source, options, () => 0);
  if (loaded === undefined) return { value: undefined, diagnostics: rejected };
  const kinds = line.inputs.flatMap((part) => {
    const { value: assignment } = readAssignment(line.source, part.span);
    return assignment === undefined ? [] : [inputKind(assignment.name.text, loaded)];
  });
  return { value: launchWords(file, line, kinds, options), diagnostics: [] };
}
