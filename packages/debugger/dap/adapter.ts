import type { DebugProtocol } from "@vscode/debugprotocol";
import { exitOf, worst } from "../../../src/environment/exit.ts";
import type { Io } from "../../../src/environment/io.ts";
import type { DebugStop, Motion } from "../../../src/host/debugger/debugger.ts";
import { progressOf } from "../../../src/host/debugger/progress.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { type Counting, countingOf, forClient, fromClient } from "./counting.ts";
import { Debuggee } from "./debuggee.ts";
import { lineBack } from "./line-back.ts";
import { Mover } from "./motion.ts";
import { capabilities } from "./protocol/capabilities.ts";
import { readLaunch } from "./protocol/launch-arguments.ts";
import {
  type Arguments,
  argumentsOf,
  isRequest,
  namesIn,
  pointsIn,
  type Request,
  sourceIn,
} from "./protocol/message.ts";
import { asText, DapError, refusalOf, sessionIsOver } from "./protocol/problem.ts";
import { progressOf as showing } from "./protocol/progress.ts";
import { questions } from "./protocol/requests.ts";
import { DebugRun } from "./run.ts";
import { programSource } from "./sources.ts";
import { type Begun, stopped } from "./stop.ts";
import type { World } from "./world.ts";

/** Requests that are answered while the program runs; the others are refused until it pauses. */
const whileMoving: ReadonlySet<string> = new Set([
  "threads", "source", "loadedSources", "modules", "breakpointLocations", "setBreakpoints", "setFunctionBreakpoints",
  "setInstructionBreakpoints", "setDataBreakpoints", "setExceptionBreakpoints", "configurationDone", "restart",
]); // biome-ignore format: a list of names

/**
 * The debug adapter (Debug Adapter Protocol): messages in, messages out. It has no stream: its host passes it each
 * message of the client, and delivers messages whenever the adapter yields.
 */
export class Adapter {
  readonly #world: World;
  readonly #io: Io;
  readonly #mover: Mover;
  #seq = 0;
  #run: DebugRun | undefined;
  #queue: Promise<void> = Promise.resolve();
  #collecting: string[] | undefined;
  /** Called when the client has configured everything. */
  #configured: (() => void) | undefined;
  #canShowProgress = false;
  #progress = 0;
  /** Resolves when no run is in progress. */
  #moved: Promise<void> = Promise.resolve();
  #ended = false;
  /** The client knows that the program is over, or has disconnected. */
  #over = false;
  #counting: Counting = { lines: 1, columns: 1 };
  readonly #cancelled = new Set<number>();

  constructor(world: World) {
    this.#world = world;
    this.#mover = new Mover(world);
    const print = (category: "stdout" | "console") => (text: string) => this.#print(category, text);
    this.#io = { ...world.io, out: print("stdout"), err: print("console") };
  }

  /** True when the client has disconnected, or knows that all is over. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The client has disconnected: stops what runs, and begins nothing more. */
  close(): void {
    this.#ended = true;
    this.#mover.close();
  }

  /** Accepts a message of the client. What cannot wait for others is done at once. */
  receive(message: unknown): Promise<void> {
    if (!isRequest(message)) return Promise.resolve();
    const { command } = message;
    if (command === "cancel") {
      const { requestId, progressId } = argumentsOf(message);
      if (typeof requestId === "number") this.#cancelled.add(requestId);
      if (typeof progressId === "string") this.#mover.stop();
      this.#respond(message, {});
      return Promise.resolve();
    }
    this.#queue = this.#queue.then(() => (this.#ended ? this.#fail(message, sessionIsOver()) : this.#answer(message)));
    return this.#queue;
  }

  async #answer(request: Request): Promise<void> {
    try {
      if (this.#cancelled.delete(request.seq)) throw new DapError("cancelled");
      const given = fromClient(argumentsOf(request), this.#counting);
      const { command } = request;
      const act = Object.hasOwn(this.#actions, command) ? this.#actions[command] : undefined;
      if (this.#mover.moving && act === undefined && !whileMoving.has(command))
        throw new DapError("notStopped: the program runs; pause it first");
      if (act !== undefined) await act(given, (body) => this.#respond(request, body));
      else {
        const question = Object.hasOwn(questions, command) ? questions[command] : undefined;
        if (question === undefined) throw new DapError(`unknown request ${command}`);
        this.#respond(request, question(this.#running(), given));
      }
    } catch (error) {
      this.#fail(request, error);
    }
  }

  /** Requests that change state. Each sends its response itself. */
  readonly #actions: Readonly<
    Record<string, (given: Arguments, respond: (body?: object) => void) => Promise<void> | void>
  > = {
    initialize: (given, respond) => {
      this.#canShowProgress = given["supportsProgressReporting"] === true;
      this.#counting = countingOf(given);
      respond(capabilities);
    },
    launch: async (given, respond) => this.#launch(given, respond),
    // A recorded launch is a case file beside its PTX.
    attach: async (given, respond) => this.#launch({ case: true, ...given }, respond),
    configurationDone: (_, respond) => {
      respond();
      this.#configured?.();
      this.#configured = undefined;
    },
    setBreakpoints: ({ source, breakpoints }, respond) => {
      const run = this.#running();
      const wanted = pointsIn<DebugProtocol.SourceBreakpoint>(breakpoints, "line");
      respond({ breakpoints: run.points.lines(sourceIn(source), wanted) });
      this.#mover.renew();
    },
    setFunctionBreakpoints: ({ breakpoints }, respond) => {
      respond({
        breakpoints: this.#running().points.functions(pointsIn<DebugProtocol.FunctionBreakpoint>(breakpoints, "name")),
      });
      this.#mover.renew();
    },
    setInstructionBreakpoints: ({ breakpoints }, respond) => {
      const wanted = pointsIn<DebugProtocol.InstructionBreakpoint>(breakpoints, "instructionReference");
      respond({ breakpoints: this.#running().points.instructions(wanted) });
      this.#mover.renew();
    },
    setDataBreakpoints: ({ breakpoints }, respond) => {
      respond({
        breakpoints: this.#running().points.data(pointsIn<DebugProtocol.DataBreakpoint>(breakpoints, "dataId")),
      });
      this.#mover.renew();
    },
    setExceptionBreakpoints: ({ filters: names }, respond) => {
      respond({ breakpoints: this.#running().points.exceptions(namesIn(names)) });
      this.#mover.renew();
    },
    continue: (given, respond) => {
      this.#focus(given);
      respond({ allThreadsContinued: true });
      this.#go("continue", (run) => run.debuggee.debugger.motions.continue());
    },
    reverseContinue: (given, respond) => {
      this.#focus(given);
      respond();
      this.#go("continue", (run) => run.debuggee.debugger.motions.continueBack(), false);
    },
    next: (given, respond) => this.#step(given, respond, true),
    stepIn: (given, respond) => this.#step(given, respond, false),
    stepOut: (given, respond) => {
      this.#focus(given);
      respond();
      this.#go("step", (run) => run.debuggee.debugger.motions.finish());
    },
    stepBack: (given, respond) => {
      this.#focus(given);
      respond();
      const byLine = this.#byLine(given);
      this.#go(
        "step",
        ({ debuggee }) => (byLine ? lineBack(debuggee.debugger) : debuggee.debugger.motions.nextBack()),
        false,
      );
    },
    goto: (given, respond) => {
      this.#focus(given);
      const pc = given["targetId"];
      if (typeof pc !== "number") throw new DapError("targetId is missing: a number that gotoTargets gave");
      respond();
      this.#go("goto", (run) => run.debuggee.debugger.motions.until(pc));
    },
    pause: (_, respond) => {
      this.#mover.stop();
      respond();
    },
    restart: async (_, respond) => {
      this.#mover.stop();
      await this.#moved;
      const run = this.#running();
      respond();
      // A user who has edited the file wants to debug the new text: the client launches it again.
      if (run.debuggee.hasChanged(this.#io)) {
        this.#event("terminated", { restart: true });
        return;
      }
      run.debuggee.debugger.restart();
      run.references.clear();
      this.#over = false;
      this.#begin(run);
    },
    terminate: async (_, respond) => {
      this.#over = true;
      this.#mover.stop();
      await this.#moved;
      respond();
      this.#end(undefined);
    },
    disconnect: async (_, respond) => {
      this.#over = true;
      this.#mover.stop();
      await this.#moved;
      respond();
      this.#run?.debuggee.debugger.session.close();
      this.#ended = true;
    },
  };

  async #launch(given: Arguments, respond: (body?: object) => void): Promise<void> {
    if (this.#run !== undefined) throw new DapError("a program is being debugged already");
    const words = readLaunch(given, this.#world);
    const debuggee = Debuggee.load(words, this.#world, this.#io, (all, name, path) =>
      this.#tell(all, name, programSource(name, path)),
    );
    const run = new DebugRun(
      debuggee,
      this.#world,
      (event, body) => this.#event(event, body),
      (act) => this.#collected(act),
    );
    this.#run = run;
    // The client sets its breakpoints after this event, and says when that is done.
    this.#configured = () => {
      respond();
      this.#event("process", {
        name: debuggee.debugger.session.program.source.name,
        startMethod: "launch",
        isLocalProcess: true,
      });
      this.#begin(run);
    };
    this.#event("initialized");
  }

  /** Begins a launch, or restarts it. */
  #begin(run: DebugRun): void {
    const { stopOnEntry, noDebug } = run.debuggee.showing;
    if (noDebug) for (const { id } of run.debuggee.debugger.points) run.debuggee.debugger.delete(id);
    if (stopOnEntry && !noDebug) this.#stopped(run, run.debuggee.debugger.stop, "entry");
    else this.#go("continue", () => run.debuggee.debugger.motions.continue());
  }

  #running(): DebugRun {
    if (this.#run === undefined) throw new DapError("nothing is launched yet");
    return this.#run;
  }

  /** The thread that the client steps. */
  #focus({ threadId }: Arguments): void {
    if (this.#mover.moving) throw new DapError("notStopped: the program runs; pause it first");
    if (typeof threadId !== "number") return;
    const { debuggee } = this.#running();
    if (debuggee.numberOf(debuggee.debugger.focus) !== threadId) debuggee.debugger.focus = debuggee.threadOf(threadId);
  }

  #step(given: Arguments, respond: (body?: object) => void, over: boolean): void {
    this.#focus(given);
    respond();
    this.#go("step", ({ debuggee }) => {
      const { motions } = debuggee.debugger;
      if (this.#byLine(given)) return motions.stepLine(1, over);
      return over ? motions.next() : motions.step();
    });
  }

  /** Whether a step is a line of the program that the PTX was compiled from. */
  #byLine({ granularity }: Arguments): boolean {
    return this.#running().debuggee.showing.level === "original" && granularity !== "instruction";
  }

  /** Begins a run or step, and keeps processing messages. */
  #go(begun: Begun, make: (run: DebugRun) => Motion, forward: boolean = true): void {
    const run = this.#running();
    run.references.clear();
    run.points.forward = forward;
    const { motions } = run.debuggee.debugger;
    const again = begun === "continue" && forward ? () => motions.resume() : undefined;
    const progress = showing(`motion ${++this.#progress}`, {
      now: () => this.#io.now(),
      can: this.#canShowProgress,
      message: () => `${progressOf(run.debuggee.debugger.session).steps} warp instructions`,
      event: (name, body) => this.#event(name, body),
    });
    const { stop: from } = run.debuggee.debugger;
    this.#moved = this.#mover
      .drive(make(run), again, () => progress.show())
      .then((stop) => {
        progress.end();
        // Nothing can continue after a fault: continuing then ends the session.
        const stuck = forward && stop.reason === "trap" && from.reason === "trap" && stop.step === from.step;
        if (stuck) this.#finished(run, stop);
        else this.#stopped(run, stop, begun);
      })
      .catch((error: unknown) => this.#print("console", `ptxrun has a bug: ${String(error)}\n`));
  }

  #stopped(run: DebugRun, stop: DebugStop, begun: Begun): void {
    if (this.#over) return;
    const { name } = run.debuggee.debugger.session.program.source;
    const found = [...run.debuggee.shell.newFindings(), ...(stop.reason === "trap" ? [stop.diagnostic] : [])];
    this.#tell(found, name, run.sources.program);
    const body = stopped(run.debuggee, stop, begun);
    if (body === undefined) this.#finished(run, stop);
    else this.#event("stopped", body);
  }

  /** The program cannot continue. */
  #finished(run: DebugRun, stop: DebugStop): void {
    if (this.#over) return;
    if (!run.debuggee.showing.stopAtEnd) {
      this.#end(run);
      return;
    }
    const description = "the program has ended; go back, or restart";
    this.#event("stopped", {
      reason: "pause",
      description,
      threadId: run.debuggee.numberOf(stop.thread),
      allThreadsStopped: true,
    });
  }

  /** Ends the session: reports how the program ended, then that nothing follows. */
  #end(run: DebugRun | undefined): void {
    this.#over = true;
    if (run !== undefined) {
      const { session, stop } = run.debuggee.debugger;
      const all = stop.reason === "trap" ? [...session.findings, stop.diagnostic] : session.findings;
      this.#event("exited", { exitCode: worst(all.map(exitOf)) });
    }
    this.#event("terminated");
  }

  /** Diagnostics as output events, each with its position in the program of this name. */
  #tell(all: readonly Diagnostic[], name: string, program: DebugProtocol.Source): void {
    for (const diagnostic of all) {
      const { severity, source, span } = diagnostic;
      const { line, column } = source.position(span.start);
      this.#event("output", {
        category: severity === "error" ? "stderr" : "console",
        output: `${asText(diagnostic)}\n`,
        ...(source.name === name && { source: program, line, column }),
      });
    }
  }

  #print(category: string, text: string): void {
    if (this.#collecting !== undefined) this.#collecting.push(text);
    else this.#event("output", { category, output: text });
  }

  #collected(act: () => void): string {
    this.#collecting = [];
    try {
      act();
      return this.#collecting.join("");
    } finally {
      this.#collecting = undefined;
    }
  }

  #respond(request: Request, body: object | undefined): void {
    this.#send({
      type: "response",
      request_seq: request.seq,
      success: true,
      command: request.command,
      ...(body !== undefined && { body }),
    });
  }

  #fail(request: Request, error: unknown): void {
    const { message, id } = refusalOf(error);
    const body = {
      error: { id, format: message.replaceAll("{", "(").replaceAll("}", ")"), showUser: request.command === "launch" },
    };
    this.#send({ type: "response", request_seq: request.seq, success: false, command: request.command, message, body });
  }

  #event(event: string, body?: object): void {
    this.#send({ type: "event", event, ...(body !== undefined && { body }) });
  }

  #send(message: object): void {
    this.#world.send({ seq: ++this.#seq, ...forClient(message, this.#counting) });
  }
}
