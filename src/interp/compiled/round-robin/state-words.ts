import type { Code } from "../../../wasm/code.ts";

/** How a function reads and writes words of the state, whose address is in a local. */
export interface StateWords {
  /** Pushes the word at an offset. */
  load(offset: number): Code;
  /** Stores there what `push` leaves. */
  store(offset: number, push: () => void): void;
}

export const stateWords = (code: Code, state: number): StateWords => ({
  load: (offset) => code.get(state).access("i32.load", offset),
  store(offset, push) {
    code.get(state);
    push();
    code.access("i32.store", offset);
  },
});
