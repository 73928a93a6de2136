import { Bench } from "./bench.ts";
import type { Client } from "./client.ts";
import { Editor } from "./editor/editor.ts";
import { byId } from "./element.ts";
import { first } from "./first.ts";
import { type Action, actionFor, moves } from "./frame/actions.ts";
import { examplesMenu } from "./frame/examples.ts";
import { openFiles } from "./frame/file.ts";
import { helpDialog } from "./frame/help.ts";
import { layout } from "./frame/layout.ts";
import { openShared, projectInLink, shareButton } from "./frame/share.ts";
import { status } from "./frame/status.ts";
import { type RegionName, Tabs } from "./frame/tabs.ts";
import { theme } from "./frame/theme.ts";
import { timeline } from "./frame/time.ts";
import { toolbar } from "./frame/toolbar.ts";
import { LaunchHistory } from "./history.ts";
import { latePanel } from "./panels/panel.ts";
import { registersPanel } from "./panels/registers.ts";
import { playback, thaw } from "./recording.ts";

/** The first example's launch as it has ended, from the build. */
declare const RECORDING: string;

/** Puts the page together, and opens what its link holds, or the first example. */
export async function openPage(client: Client): Promise<void> {
  const bench = new Bench(client);
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  const tabs = new Tabs(new Map(regions.map((each) => [each.dataset["region"] as RegionName, each])));
  const ask = (code: string): void => {
    tabs.show("messages");
    void messages.loaded().then((panel) => panel.ask(code));
  };
  const history = new LaunchHistory(bench);
  const bits = (register: string): void => {
    tabs.show("bits");
    void late.bits.loaded().then((panel) => panel.open(register));
  };
  const editor = new Editor(byId("editor", HTMLElement), bench, history, { ask, bits });
  const goTo = (from: number, to: number): void => {
    tabs.show("code");
    editor.goTo(from, to);
  };
  const late = {
    lanes: latePanel("lanes", "Lanes", async () => (await import("./panels/lanes.ts")).lanesPanel(bench)),
    warps: latePanel("warps", "Warps", async () => (await import("./panels/warps.ts")).warpsPanel(bench)),
    inputs: latePanel("inputs", "Inputs", async () => (await import("./panels/inputs.ts")).inputsPanel(bench)),
    explain: latePanel("explain", "Explain", async () => (await import("./panels/explain.ts")).explainPanel(bench)),
    result: latePanel("result", "Result", async () => (await import("./panels/result.ts")).resultPanel(bench)),
    outcomes: latePanel("outcomes", "Outcomes", async () =>
      (await import("./panels/outcomes.ts")).outcomesPanel(bench),
    ),
    bits: latePanel("bits", "Bits", async () => (await import("./panels/bits.ts")).bitsPanel(bench)),
  };
  const messages = latePanel("messages", "Messages", async () =>
    (await import("./panels/messages.ts")).messagesPanel(bench, goTo),
  );
  tabs.add("code", {
    id: "code",
    title: "Program",
    element: byId("code", HTMLElement),
    show: () => editor.view.requestMeasure(),
  });
  for (const panel of [registersPanel(bench, bits), late.lanes, late.warps, late.inputs]) tabs.add("state", panel);
  for (const panel of [late.result, late.explain, messages, late.bits, late.outcomes]) tabs.add("detail", panel);

  status(bench, {
    fill: () => tabs.focus("inputs"),
    look: ({ from, to }) => goTo(from, to),
    result: () => (tabs.isShown("result") ? undefined : () => tabs.focus("result")),
    outcomes: () => tabs.focus("outcomes"),
    problems: () => {
      const [wrong] = bench.problems.filter(({ severity }) => severity === "error");
      if (wrong === undefined) tabs.focus("messages");
      else goTo(wrong.from, wrong.to);
    },
  });
  timeline(bench, history);
  const turn = theme();
  const execution = moves(bench);
  toolbar(document.querySelector(".moves") as HTMLElement, execution, bench);
  const places = ["code", "registers", "lanes", "warps", "inputs", "result", "explain", "messages", "bits"];
  const others: readonly Action[] = [
    {
      id: "breakpoint",
      title: "Breakpoint",
      about: "set or delete a breakpoint at the cursor's line",
      key: "F9",
      act: () => void bench.toggle(editor.line),
      when: "always",
    },
    {
      id: "back-into",
      title: "Back into",
      about: "back by one instruction of this thread, into a call that has returned",
      key: "Ctrl+F11",
      act: () => void bench.move({ kind: "stepBack" }),
      when: "resting",
    },
    {
      id: "history",
      title: "History",
      about: "what this lane has done in the cursor's line",
      key: "Alt+V",
      act: () => editor.openHistory(),
      when: "always",
    },
    {
      id: "theme",
      title: "Theme",
      about: "light, dark, or as the system has it",
      key: "Alt+T",
      act: turn,
      when: "always",
    },
    ...places.map(
      (id, at): Action => ({
        id,
        title: id,
        about: `go to ${id === "code" ? "the program" : id}`,
        key: `Alt+${at + 1}`,
        act: () => tabs.focus(id),
        when: "always",
      }),
    ),
  ];
  const openTour = async (lesson?: string): Promise<void> => {
    tour ??= import("./tour/tour.ts").then(({ Tour }) => new Tour({ bench, show: (id) => tabs.show(id), goTo }));
    await (await tour).open(lesson);
  };
  let tour: Promise<import("./tour/tour.ts").Tour> | undefined;
  byId("tour-open", HTMLButtonElement).addEventListener("click", () => void openTour());
  const actions = [...execution, ...others];
  const help = helpDialog([
    ...[...execution, ...others.slice(0, 4)].map(({ key, also = [], about }) => [[key, ...also], about] as const),
    [[`Alt+1 to Alt+${places.length}`], `go to ${places.join(", ")}`],
    [["F1"], "this help"],
    [["Ctrl+Space"], "complete what is typed"],
    [["Ctrl+F"], "search in the program"],
    [["Arrow keys"], "on the slider: one position forward or back; on the bar between two panes: move it"],
    [["Ctrl+R", "Ctrl+F5"], "the browser's own: load the page again. F5 runs, and Shift+F5 stops what runs"],
  ]);
  const showHelp = (): void => help.showModal();
  byId("help", HTMLButtonElement).addEventListener("click", showHelp);
  listenForKeys(
    [...actions, { id: "help", title: "Help", about: "this help", key: "F1", act: showHelp, when: "always" }],
    bench,
  );
  shareButton(bench);
  const openExample = examplesMenu(bench);
  openFiles(bench);

  bench.listen((change) => {
    if (change !== "busy") tabs.refresh();
    tabs.count("messages", bench.problems.length + bench.faults.length);
    tabs.count("inputs", (bench.loaded?.fields.length ?? 0) + bench.missing.length);
    document.body.classList.toggle("stale", bench.stale && !bench.loaded?.outcomes);
    document.body.classList.toggle("busy", bench.busy);
  });
  tabs.arrange();
  tabs.show("code");
  layout(tabs);
  showResults(bench, tabs);
  wakeLater(bench);
  const shared = await projectInLink();
  if (shared !== undefined) await openShared(bench, shared);
  else {
    const recording = thaw(RECORDING);
    bench.play(first, recording, playback(recording, client));
  }
  const follow = (): void => {
    const [, place, id] = /^#(tour|example)(?:=(.*))?$/.exec(location.hash) ?? [];
    if (place === "tour") void openTour(id);
    if (place === "example" && id !== undefined) void openExample(id);
  };
  addEventListener("hashchange", follow);
  follow();
}

/**
 * Where a run has ended, its result comes into sight, and while somebody steps, what the instructions do; on a narrow page that
 * would take the program away. Who edits and looks at something else goes on looking at it.
 */
function showResults(bench: Bench, tabs: Tabs): void {
  let ours = false;
  bench.listen((change) => {
    const { state, stale, earlier, isNew } = bench;
    if (change === "state" && bench.loaded?.outcomes && !tabs.isNarrow) tabs.show("outcomes");
    if (change !== "state" || stale || state === undefined || tabs.isNarrow) return;
    const { reason } = state.stop;
    if (reason === "exit" || reason === "bound") {
      if (isNew || earlier !== undefined || (ours && tabs.isShown("explain"))) {
        tabs.show("result");
        ours = true;
      }
    } else if (reason === "step" && ours && tabs.isShown("result")) tabs.show("explain");
  });
}

/** Machine, examples and what editing needs are loaded once there is somebody who may use them. */
function wakeLater(bench: Bench): void {
  const signs = ["pointermove", "pointerdown", "keydown", "touchstart"] as const;
  const wake = (): void => {
    for (const sign of signs) document.removeEventListener(sign, wake, { capture: true });
    bench.wake();
  };
  for (const sign of signs) document.addEventListener(sign, wake, { capture: true, passive: true });
}

function listenForKeys(actions: readonly Action[], bench: Bench): void {
  document.addEventListener(
    "keydown",
    (event) => {
      if (document.querySelector("dialog[open]") !== null) return;
      const action = actionFor(event, actions, bench);
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      action.act();
    },
    { capture: true },
  );
}
