import type { DebugProtocol } from "@vscode/debugprotocol";
import { DapError } from "./problem.ts";

/** A request of a client, as it arrived; its arguments are read where they are used. */
export interface Request {
  readonly seq: number;
  readonly type: "request";
  readonly command: string;
  readonly arguments?: unknown;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Whether something that came in is a request. */
export const isRequest = (message: unknown): message is Request =>
  typeof message === "object" &&
  message !== null &&
  "type" in message &&
  message.type === "request" &&
  "command" in message &&
  typeof message.command === "string" &&
  "seq" in message &&
  typeof message.seq === "number";

/** The arguments of a request; none are an empty object. */
export const argumentsOf = ({ arguments: given }: Request): Arguments =>
  typeof given === "object" && given !== null ? (given as Arguments) : {};

type Kind = "text" | "number" | "text, where there is one" | "number, where there is one";

/** Checks the used fields of a client's object, and returns it with its type. */
function shaped<T extends object>(value: unknown, what: string, fields: Readonly<Record<string, Kind>>): T {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DapError(`${what} takes an object`);
  for (const [name, kind] of Object.entries(fields)) {
    const field = (value as Arguments)[name];
    const [type] = kind.split(",", 1);
    const missing = field === undefined || field === null;
    if (missing ? type === kind : typeof field !== (type === "text" ? "string" : type))
      throw new DapError(`${name} of ${what} takes a ${type}`);
  }
  return value as T;
}

const wishes = {
  condition: "text, where there is one",
  hitCondition: "text, where there is one",
  logMessage: "text, where there is one",
} as const;

/** The field that identifies a point of each kind. */
const points = {
  line: { ...wishes, line: "number" },
  name: { ...wishes, name: "text" },
  instructionReference: { ...wishes, instructionReference: "text", offset: "number, where there is one" },
  dataId: { ...wishes, dataId: "text", accessType: "text, where there is one" },
} as const;

/** The points in the arguments, each identified by one field; none is an empty list. */
export function pointsIn<T extends object>(value: unknown, by: keyof typeof points): readonly T[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new DapError("breakpoints takes a list");
  return value.map((each) => shaped<T>(each, "a breakpoint", points[by]));
}

/** The source in the arguments. */
export const sourceIn = (value: unknown): DebugProtocol.Source =>
  shaped(value ?? {}, "source", {
    path: "text, where there is one",
    name: "text, where there is one",
    sourceReference: "number, where there is one",
  });

/** A list of names. */
export function namesIn(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
    throw new DapError("filters takes names");
  return value;
}
