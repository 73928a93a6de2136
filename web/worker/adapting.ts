import { dispatch } from "../../packages/debugger/console/commands/every-command.ts";
import { Adapter } from "../../packages/debugger/dap/adapter.ts";
import { pageIo } from "./environment.ts";

let adapter: Adapter | undefined;

/** Hands a message to a debug adapter of its own, with a launch of its own; `send` gets what the adapter says. */
export function receive(message: object, send: (message: object) => void): void {
  adapter ??= new Adapter({
    io: pageIo(() => {}),
    send,
    rest: () => new Promise((done) => setTimeout(done, 0)),
    dispatch,
  });
  const own = adapter;
  void own.receive(message).then(() => {
    if (own.ended && adapter === own) adapter = undefined;
  });
}
