import type { WindowVariable } from "../../interp/contract/program.ts";
import type { VariableEntry } from "../module/names/symbols.ts";

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** A part of an area that is in use for a while. */
export interface Room {
  readonly offset: number;
  readonly bytes: number;
  readonly align: number;
}

/** Local memory in which variables are placed one after another: a thread's own, or the frame of one function. */
export class LocalArea {
  /** True for a frame, whose address is known only when its function is called. */
  readonly framed: boolean;
  bytes = 0;
  align = 1;
  readonly #free = new Map<string, number[]>();

  constructor(framed: boolean) {
    this.framed = framed;
  }

  place(bytes: number, align: number): number {
    const offset = roundUp(this.bytes, align);
    this.bytes = offset + bytes;
    this.align = Math.max(this.align, align);
    return offset;
  }

  /** Room that is reused: memory for one argument serves another one later. */
  lend(bytes: number, align: number): Room {
    return { offset: this.#free.get(`${bytes} ${align}`)?.pop() ?? this.place(bytes, align), bytes, align };
  }

  giveBack({ offset, bytes, align }: Room): void {
    const key = `${bytes} ${align}`;
    const free = this.#free.get(key);
    if (free) free.push(offset);
    else this.#free.set(key, [offset]);
  }
}

/** The shared memory of a kernel and all its functions, and a list of the variables there and in local memory. */
export class Windows {
  readonly local = new LocalArea(false);
  readonly placed: WindowVariable[] = [];
  readonly #offsets = new Map<string, number>();
  /** Arrays of dynamic shared memory, which all begin where static shared memory ends. */
  readonly #dynamic: VariableEntry[] = [];
  sharedBytes = 0;
  dynamicShared = 0;

  /** Where a variable of the module's shared memory lies; undefined for one that no body mentions. */
  offsetOf(name: string): number | undefined {
    return this.#offsets.get(name);
  }

  /** Places a variable of the module, once. */
  shared(variable: VariableEntry): void {
    const { name, space, linkage } = variable;
    if (this.#offsets.has(name)) return;
    if (space === "local") {
      const offset = this.local.place(variable.bytes, variable.element.align);
      this.note(variable, offset);
      this.#offsets.set(name, offset);
    } else if (linkage === "extern") {
      this.#dynamic.push(variable);
      this.#offsets.set(name, 0);
    } else this.#offsets.set(name, this.block(variable));
  }

  /** Places a variable of a block; blocks do not share memory. */
  block(variable: VariableEntry): number {
    const offset = roundUp(this.sharedBytes, variable.element.align);
    this.sharedBytes = offset + variable.bytes;
    this.note(variable, offset);
    return offset;
  }

  /** Enters a variable in the list. */
  note({ name, space, element: { type }, bytes }: VariableEntry, offset: number): void {
    if (space === "shared" || space === "local") this.placed.push({ name, space, type, offset, bytes });
  }

  /** When all bodies are laid out: dynamic shared memory begins after the rest. */
  placeAll(): void {
    const align = this.#dynamic.reduce((most, { element }) => Math.max(most, element.align), 1);
    this.dynamicShared = roundUp(this.sharedBytes, align);
    for (const variable of this.#dynamic) {
      this.#offsets.set(variable.name, this.dynamicShared);
      this.note(variable, this.dynamicShared);
    }
  }
}
