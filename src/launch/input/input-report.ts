import { problem } from "../../host/index.ts";
import type { Code } from "../../source/codes/index.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Assignment, SpannedText } from "../value/assignment.ts";

/** Problems of the inputs of one launch. */
export class InputReport {
  readonly diagnostics: Diagnostic[] = [];

  twice(assignment: Assignment): void {
    this.wrong("PTX2004", assignment, assignment.name, `${assignment.name.text} is given twice`, "one value");
  }

  /** `meant`: the text that was probably meant in the place of the part. */
  wrong(
    code: Code,
    { source }: Assignment,
    part: SpannedText,
    message: string,
    expected: string,
    meant?: string,
  ): void {
    const { span } = part;
    const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?`, replace: { span, text: meant } }];
    this.diagnostics.push(problem(code, message, { source, span, expected, help }));
  }
}
