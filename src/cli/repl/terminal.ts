import { createInterface } from "node:readline";
import { complete } from "../../console/commands/completion.ts";
import { table } from "../../console/commands/every-command.ts";
import type { Shell } from "../../console/shell.ts";
import type { Terminal } from "../command-io.ts";
import type { LineHistory } from "./history.ts";
import { Screen } from "./screen.ts";

const CTRL_C = "\x03";

/** Reads commands at a terminal until `quit` or the end of the input. Ctrl-C stops the guest, or clears the line. */
export async function converse(shell: Shell, { input, output, poll }: Terminal, history: LineHistory): Promise<void> {
  const lines = createInterface({
    input,
    output,
    terminal: true,
    history: history.read(),
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string) => complete(table, shell, line),
  });
  let typed = "";
  shell.interrupt = () => {
    typed += poll();
    const at = typed.lastIndexOf(CTRL_C);
    if (at < 0) return false;
    // After an interrupt, what was typed before is dropped.
    typed = typed.slice(at + 1);
    return true;
  };
  const screen = new Screen(shell, output);
  shell.screen = screen;
  const redraw = (): void => {
    if (!screen.on) return;
    screen.draw();
    lines.prompt(true);
  };
  output.on("resize", redraw);
  const ask = (): void => {
    screen.draw();
    lines.setPrompt(shell.palette.strong(shell.prompt));
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    output.write("^C\n");
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    ask();
  });
  const talk = new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      history.add(line);
      screen.forget();
      try {
        shell.execute(line);
      } catch (bug) {
        lines.close();
        reject(bug);
        return;
      }
      if (shell.done) {
        lines.close();
        return;
      }
      ask();
      if (typed === "") return;
      const ahead = typed;
      typed = "";
      lines.write(ahead);
    });
    lines.on("close", () => {
      if (!shell.done) output.write("\n");
      resolve();
    });
    ask();
  });
  await talk.finally(() => {
    screen.leave();
    output.off("resize", redraw);
    shell.screen = undefined;
  });
}
