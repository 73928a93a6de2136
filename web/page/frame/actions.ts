import type { Bench } from "../bench.ts";
import type { Move } from "../client.ts";

/** Something that a button and a key do. */
export interface Action {
  readonly id: string;
  readonly title: string;
  /** What it does, for its tooltip and the help. */
  readonly about: string;
  /** As `KeyboardEvent.key` names it, with `Shift+`, `Ctrl+` or `Alt+` before it; what a debugger has by habit. */
  readonly key: string;
  /** Other keys that do the same, for other habits. */
  readonly also?: readonly string[];
  readonly act: () => void;
  /** Only while something runs, only while nothing does, or always. */
  readonly when: "running" | "resting" | "always";
  /** A picture: the path of an icon 16 units wide. */
  readonly icon?: string;
}

const triangle = "M4 2.5v11l9-5.5z";

/** All moves through the run. */
export function moves(bench: Bench): readonly Action[] {
  const move = (kind: Exclude<Move["kind"], "goTo">) => () => void bench.move({ kind });
  return [
    {
      id: "run",
      title: "Run",
      about: "run until a breakpoint, a fault or the end",
      key: "F5",
      also: ["F8"],
      act: move("run"),
      when: "resting",
      icon: triangle,
    },
    {
      id: "stop",
      title: "Stop",
      about: "stop what runs",
      key: "Escape",
      also: ["F6", "Shift+F5"],
      act: () => bench.stop(),
      when: "running",
      icon: "M3 3h10v10H3z",
    },
    {
      id: "step",
      title: "Step",
      about: "one instruction of this thread, into a call",
      key: "F11",
      act: move("step"),
      when: "resting",
      icon: "M3 3v10l7-5zM11 3h2v10h-2z",
    },
    {
      id: "back",
      title: "Step back",
      about: "back by one instruction of this thread, a call as one",
      key: "Shift+F10",
      act: move("overBack"),
      when: "resting",
      icon: "M13 3v10L6 8zM3 3h2v10H3z",
    },
    {
      id: "run-back",
      title: "Run back",
      about: "back to a breakpoint or the beginning",
      key: "Shift+F8",
      act: move("runBack"),
      when: "resting",
      icon: "M12 2.5v11L3 8z",
    },
    {
      id: "over",
      title: "Over",
      about: "one instruction of this thread, a call as one",
      key: "F10",
      act: move("over"),
      when: "resting",
      icon: "M2 10a6 6 0 0 1 11-3l1.500-1v5h-5l2-1.500a4 4 0 0 0-7.500.500zM7 11h3v3H7z",
    },
    {
      id: "out",
      title: "Out",
      about: "until this thread has left its function",
      key: "Shift+F11",
      act: move("out"),
      when: "resting",
      icon: "M7 14V6H4l4-4 4 4H9v8z",
    },
    {
      id: "restart",
      title: "Restart",
      about: "to the beginning of a new launch",
      key: "Ctrl+Shift+F5",
      act: move("restart"),
      when: "resting",
      icon: "M8 2a6 6 0 1 0 6 6h-2a4 4 0 1 1-4-4v3l5-4-5-4z",
    },
  ];
}

/** The action of a key press, if there is one that has something to do; what has not leaves the key to the browser. */
export function actionFor(event: KeyboardEvent, actions: readonly Action[], { busy }: Bench): Action | undefined {
  const found = actions.find(({ key, also = [] }) => [key, ...also].some((each) => isKey(event, each)));
  return found?.when === "running" && !busy ? undefined : found;
}

/** Whether a key press is the one that a text names. */
function isKey(event: KeyboardEvent, name: string): boolean {
  const parts = name.split("+");
  const key = parts.at(-1) ?? "";
  const has = (modifier: string): boolean => parts.includes(modifier);
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    event.ctrlKey === has("Ctrl") &&
    event.altKey === has("Alt") &&
    (event.shiftKey === has("Shift") || key === "?") &&
    !event.metaKey
  );
}
