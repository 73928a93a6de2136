import type { DebugProtocol } from "@vscode/debugprotocol";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { DapError } from "./protocol/problem.ts";

/** A value in the client's list, and how its children are found when the user opens it. */
export interface Shown {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /** The expression that `evaluate` accepts for it. */
  readonly expression?: string;
  readonly memory?: string;
  readonly children?: Children;
}

/** The children of a value, requested a part at a time. */
export interface Children {
  readonly indexed?: number;
  readonly named?: number;
  /** `count` of them from `start` on. */
  list(start: number, count: number): readonly Shown[];
  /** Sets a child by its name, and returns its new value; absent where nothing can be set. */
  set?(name: string, value: string): Shown;
  /** The text that names a child for a data breakpoint; undefined where it cannot be watched. */
  watched?(name: string): string | undefined;
}

/** The frame that a client has selected. */
export interface LookedAt {
  readonly thread: ThreadId;
  readonly frame: number;
}

/** Numbers frames and values with children, until the program moves on. */
export class References {
  #children: Children[] = [];
  #frames: LookedAt[] = [];

  clear(): void {
    this.#children = [];
    this.#frames = [];
  }

  /** 0 for nothing. */
  add(children: Children | undefined): number {
    return children === undefined ? 0 : this.#children.push(children);
  }

  addFrame(frame: LookedAt): number {
    return this.#frames.push(frame);
  }

  children(reference: number): Children {
    const found = this.#children[reference - 1];
    if (found === undefined) throw new DapError("that is gone: the program has moved on");
    return found;
  }

  frame(id: number): LookedAt {
    const found = this.#frames[id - 1];
    if (found === undefined) throw new DapError("that frame is gone: the program has moved on");
    return found;
  }

  /** A value as the protocol has it. */
  variable({ name, value, type, expression, memory, children }: Shown): DebugProtocol.Variable {
    return {
      name,
      value,
      variablesReference: this.add(children),
      ...(type !== undefined && { type }),
      ...(expression !== undefined && { evaluateName: expression }),
      ...(memory !== undefined && { memoryReference: memory }),
      ...(children?.indexed !== undefined && { indexedVariables: children.indexed }),
      ...(children?.named !== undefined && { namedVariables: children.named }),
    };
  }
}
