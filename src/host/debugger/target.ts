import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Register } from "../../interp/contract/program.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import type { WriteTarget } from "./stop.ts";

/** A register with its function; undefined for the kernel's. */
export interface FoundRegister {
  readonly register: Register;
  readonly callee: number | undefined;
}

/** The function that owns a register: a function's index, or the kernel's. */
export type Scope = number | "kernel";

/**
 * The register with a name, for a thread: of its current function, or of `scope`, otherwise of the kernel. Throws a
 * RangeError.
 */
export function registerOf(session: Session, thread: ThreadId, name: string, scope?: Scope): FoundRegister {
  const { program } = session;
  const inner = scope ?? new MachineView(session).calls(thread)[0]?.callee;
  const scopes = typeof inner === "number" ? [inner, undefined] : [undefined];
  for (const callee of scopes) {
    const { registers } = (callee === undefined ? program : program.functions[callee]) ?? { registers: [] };
    const register = registers.find((each) => each.name === name);
    if (register !== undefined) return { register, callee };
  }
  throw new RangeError(`there is no register ${name}`);
}

/** Reads a target repeatedly, even after the session was replaced; undefined while it cannot be read. */
export function readerOf(session: () => Session, target: WriteTarget): () => bigint | undefined {
  const machine = (): MachineView => new MachineView(session());
  switch (target.kind) {
    case "carry":
      return () => {
        const carry = machine().carry(target.thread);
        return carry === undefined ? undefined : BigInt(carry);
      };
    case "register": {
      const { register } = registerOf(session(), target.thread, target.name, target.scope);
      return () => joined(machine().value(target.thread, register), register.bits);
    }
    case "memory": {
      const { space, address, bytes, thread } = target;
      return () => {
        if (machine().bufferOffset(space, address, bytes, thread) === undefined) return undefined;
        return littleEndian(session().read(space, address, bytes, thread));
      };
    }
  }
}

const joined = (elements: readonly bigint[] | undefined, width: number): bigint | undefined =>
  elements?.reduce((sum, each, at) => sum | (each << BigInt(width * at)), 0n);

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
