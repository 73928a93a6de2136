import type { DebugProtocol } from "@vscode/debugprotocol";
import { onTestFinished } from "vitest";
import { silent } from "../../../../tests/unit/cli/world.ts";
import { complete } from "../../console/commands/completion.ts";
import { dispatch, table } from "../../console/commands/every-command.ts";
import { Adapter } from "../../dap/adapter.ts";
import type { World } from "../../dap/world.ts";

type Body = Readonly<Record<string, unknown>>;
type Message = DebugProtocol.ProtocolMessage & Body;

/** Turns of the event loop without a sign of life, after which none comes: the adapter waits for nothing but its client. */
const MOST_TURNS = 100;

/** What a stop says. */
export type Stopped = DebugProtocol.StoppedEvent["body"];

/** A client in the same process: it asks one thing after the other and keeps all that it is told. */
export class Client {
  /** All messages of the adapter, in their order. */
  readonly messages: Message[] = [];
  readonly adapter: Adapter;
  #seq = 0;
  /** How many messages have been looked at by `event`. */
  #seen = 0;
  /** Counts what shows that something goes on: messages, and rests of a program that runs. */
  #signs = 0;

  constructor(world: Partial<World> = {}) {
    this.adapter = new Adapter({
      io: { ...silent, cwd: "/" },
      send: (message) => {
        // What a client gets has been text on its way.
        this.messages.push(JSON.parse(JSON.stringify(message)) as Message);
        this.#signs++;
      },
      rest: () => {
        this.#signs++;
        return new Promise((resume) => setImmediate(resume));
      },
      dispatch,
      complete: (shell, line) => complete(table, shell, line),
      ...world,
    });
    // What still runs would take time from the tests behind it.
    onTestFinished(() => this.adapter.close());
  }

  /** Begins a session as editors do: initialize, launch, points, configurationDone. The program stands at its beginning unless told. */
  static async launch(
    text: string,
    given: Body = {},
    points: readonly (readonly [string, Body])[] = [],
  ): Promise<Client> {
    const client = new Client();
    await client.begin({ text, program: "test.ptx", stopOnEntry: true, ...given }, points);
    if (given["stopOnEntry"] !== false && given["noDebug"] !== true) await client.stop();
    return client;
  }

  /** The same with a client that was made before. */
  async begin(
    given: Body,
    points: readonly (readonly [string, Body])[] = [],
    command: string = "launch",
  ): Promise<void> {
    await this.ask("initialize", { adapterID: "ptxrun", supportsProgressReporting: true });
    const launched = this.send(command, given);
    const answer = await Promise.race([this.event("initialized").then(() => undefined), launched]);
    if (answer?.["success"] === false) throw new Error(String(answer["message"]));
    for (const [name, body] of points) await this.ask(name, body);
    await this.ask("configurationDone");
    const response = await launched;
    if (response["success"] === false) throw new Error(String(response["message"]));
  }

  /** Sends a request and gives the whole response. */
  async send(command: string, given?: Body): Promise<Message> {
    const seq = ++this.#seq;
    this.adapter.receive({ seq, type: "request", command, ...(given !== undefined && { arguments: given }) });
    return this.#find(() => this.messages.find((each) => each.type === "response" && each["request_seq"] === seq));
  }

  /** The body of a request that must be answered. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of all kinds
  async ask(command: string, given?: Body): Promise<any> {
    const response = await this.send(command, given);
    if (response["success"] !== true) throw new Error(`${command}: ${response["message"]}`);
    return response["body"];
  }

  /** The reason why a request is refused. */
  async refused(command: string, given?: Body): Promise<string> {
    const response = await this.send(command, given);
    if (response["success"] !== false) throw new Error(`${command} was answered: ${JSON.stringify(response["body"])}`);
    return String(response["message"]);
  }

  /** The body of the next event of a name; those before it are passed over. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of all kinds
  async event(name: string): Promise<any> {
    const message = await this.#find(() => {
      for (; this.#seen < this.messages.length; ) {
        const each = this.messages[this.#seen++];
        if (each?.type === "event" && each["event"] === name) return each;
      }
      return undefined;
    });
    return message["body"];
  }

  stop(): Promise<Stopped> {
    return this.event("stopped");
  }

  /** Moves, and gives where it stops. */
  async move(command: string, given: Body = {}): Promise<Stopped> {
    await this.ask(command, { threadId: this.thread, ...given });
    return this.stop();
  }

  /** The thread of the last stop. */
  get thread(): number {
    const last = this.messages.findLast((each) => each["event"] === "stopped");
    return (last?.["body"] as Stopped | undefined)?.threadId ?? 1;
  }

  async frames(threadId: number = this.thread): Promise<DebugProtocol.StackFrame[]> {
    return (await this.ask("stackTrace", { threadId })).stackFrames;
  }

  async frame(): Promise<DebugProtocol.StackFrame> {
    const [first] = await this.frames();
    if (first === undefined) throw new Error("no frame");
    return first;
  }

  async line(): Promise<number> {
    return (await this.frame()).line;
  }

  /** The value of an expression in the innermost frame. */
  async value(expression: string, context: string = "watch"): Promise<string> {
    const { id } = await this.frame();
    return (await this.ask("evaluate", { expression, context, frameId: id })).result;
  }

  async scope(name: string): Promise<DebugProtocol.Scope> {
    const { id } = await this.frame();
    const { scopes } = (await this.ask("scopes", { frameId: id })) as { scopes: DebugProtocol.Scope[] };
    const found = scopes.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no ${name} among ${scopes.map((each) => each.name).join(", ")}`);
    return found;
  }

  async variables(variablesReference: number, more: Body = {}): Promise<DebugProtocol.Variable[]> {
    return (await this.ask("variables", { variablesReference, ...more })).variables;
  }

  /** A variable of a scope. */
  async variable(scope: string, name: string): Promise<DebugProtocol.Variable> {
    const { variablesReference } = await this.scope(scope);
    const found = (await this.variables(variablesReference)).find((each) => each.name === name);
    if (found === undefined) throw new Error(`no ${name} in ${scope}`);
    return found;
  }

  /** Sets breakpoints at lines of the program. */
  async break(
    ...breakpoints: readonly (number | DebugProtocol.SourceBreakpoint)[]
  ): Promise<DebugProtocol.Breakpoint[]> {
    const wanted = breakpoints.map((each) => (typeof each === "number" ? { line: each } : each));
    return (await this.ask("setBreakpoints", { source: { name: "test.ptx", sourceReference: 1 }, breakpoints: wanted }))
      .breakpoints;
  }

  /** The texts of all output events so far. */
  output(category?: string): string {
    return this.messages
      .filter((each) => each["event"] === "output")
      .map((each) => each["body"] as DebugProtocol.OutputEvent["body"])
      .filter((body) => category === undefined || body.category === category)
      .map((body) => body.output)
      .join("");
  }

  /** Names of events and commands of responses, in their order. */
  order(): string[] {
    return this.messages.map((each) => (each.type === "event" ? `${each["event"]}!` : String(each["command"])));
  }

  /** What `look` finds, now or when more has come; a program that runs rests again and again, and what does neither never will. */
  async #find<T>(look: () => T | undefined): Promise<T> {
    for (let still = 0; still < MOST_TURNS; still++) {
      const found = look();
      if (found !== undefined) return found;
      const before = this.#signs;
      await new Promise((turn) => setImmediate(turn));
      if (this.#signs !== before) still = 0;
    }
    throw new Error(`nothing comes any more, after ${this.order().join(", ")}`);
  }
}
