import { type Argument, type ElementType, problem } from "../../host/index.ts";
import type { Parameter, Program } from "../../interp/contract/program.ts";
import { findParameter } from "../find-parameter.ts";
import type { ImageInputs } from "../image/image-inputs.ts";
import type { Assignment } from "../value/assignment.ts";
import { hexBytes } from "../value/bytes.ts";
import { type ValueForm, valueForm } from "../value/form.ts";
import { scalars } from "../value/scalar.ts";
import type { BufferInputs } from "./buffer-inputs.ts";
import { otherType } from "./element-types.ts";
import { explainArgument } from "./explain-argument.ts";
import type { InputReport } from "./input-report.ts";
import type { Missing, Named, NamedBuffer } from "./launch-inputs.ts";
import type { Makers, TensorMapInputs } from "./tensor-map-inputs.ts";

/** `y==x`: a parameter that shares another's value, or a named value of a pipeline's case. */
interface Sharing {
  readonly parameter: Parameter;
  readonly assignment: Assignment;
  readonly name: string;
}

/** The arguments of a launch for the parameters of its kernel. */
export class ParameterInputs {
  readonly #program: Program;
  readonly #names: ReadonlyMap<string, Named>;
  readonly #buffers: BufferInputs;
  readonly #images: ImageInputs;
  readonly #tensorMaps: TensorMapInputs;
  readonly #report: InputReport;
  /** The arguments; `replicas` are the memory of a multimem address. */
  readonly #given = new Map<
    Parameter,
    { readonly argument: Argument; readonly buffer?: NamedBuffer; readonly replicas?: readonly NamedBuffer[] }
  >();
  readonly #shared: Sharing[] = [];
  /** Made when all buffers exist. */
  readonly #maps: Pick<Sharing, "parameter" | "assignment">[] = [];

  /** `names`: further meanings of `=NAME` besides a parameter; a parameter of that name uses it by default. */
  constructor(
    program: Program,
    names: ReadonlyMap<string, Named>,
    { buffers, images, tensorMaps }: Makers,
    report: InputReport,
  ) {
    this.#images = images;
    this.#tensorMaps = tensorMaps;
    this.#program = program;
    this.#names = names;
    this.#buffers = buffers;
    this.#report = report;
  }

  /** A parameter by its name or its number; for an empty name, the first without a value. */
  find(name: string): Parameter | undefined {
    const { parameters } = this.#program;
    const found = findParameter(parameters, name);
    return name === "" ? parameters.find((each) => this.#isOpen(each)) : found;
  }

  /** Sets a parameter, once; one that shares another's buffer gets it in `finish`. */
  set(parameter: Parameter, assignment: Assignment): void {
    if (!this.#isOpen(parameter)) {
      this.#report.twice(assignment);
      return;
    }
    const { value } = assignment;
    const form = valueForm(value.text);
    if (form.kind === "wrong")
      this.#report.wrong("PTX2103", assignment, value, form.message, form.expected, form.meant);
    else if (form.kind === "same") this.#shared.push({ parameter, assignment, name: form.name });
    else if (form.kind === "tensormap") this.#maps.push({ parameter, assignment });
    else if (form.kind === "multimem") this.#multimem(parameter, assignment, form);
    else if (form.kind === "bytes") this.#bytes(parameter, assignment, form.digits);
    else if (form.kind === "scalar") this.#scalar(parameter, assignment);
    else if (form.kind === "image") this.#image(parameter, assignment);
    else this.#buffer(parameter, assignment, form);
  }

  /** The arguments, in the order of the parameters; missing ones become 0. */
  finish(): {
    readonly args: readonly Argument[];
    readonly buffers: readonly NamedBuffer[];
    readonly missing: readonly Missing[];
  } {
    const { parameters } = this.#program;
    for (const parameter of parameters)
      if (this.#isOpen(parameter)) this.#take(parameter, this.#names.get(parameter.name));
    for (const shared of this.#shared) this.#share(shared);
    // A map may make the buffer that another names.
    const named = ({ assignment }: Pick<Sharing, "assignment">): boolean =>
      this.#tensorMaps.shares(assignment) !== undefined;
    for (const map of this.#maps.filter((each) => !named(each))) this.#map(map);
    for (const map of this.#maps.filter(named)) this.#map(map);
    const given = parameters.map((parameter) => this.#given.get(parameter));
    return {
      args: parameters.map((parameter, index) => given[index]?.argument ?? zero(parameter)),
      buffers: given.flatMap((each) => each?.replicas ?? each?.buffer ?? []),
      missing: parameters
        .filter((parameter, index) => !this.#given.has(parameter) && !this.#program.simd?.locals.includes(index))
        .map(({ name, span }) => ({ name, kind: "parameter" as const, span })),
    };
  }

  #share({ parameter, assignment, name }: Sharing): void {
    if (this.#take(parameter, this.#names.get(name))) return;
    const other = this.find(name);
    const buffer = other && this.#given.get(other)?.buffer;
    if (buffer !== undefined) this.#given.set(parameter, { argument: buffer.buffer });
    else {
      const message = `${name} names no parameter with a buffer`;
      this.#report.wrong("PTX2103", assignment, assignment.value, message, "=NAME of one");
    }
  }

  /** Sets a parameter from a name of a pipeline's case; false when there is no such name. */
  #take(parameter: Parameter, named: Named | undefined): boolean {
    if (named === undefined) return false;
    named.used = true;
    const { buffer, handle, assignment } = named;
    if (handle !== undefined) this.#given.set(parameter, { argument: handle, ...(buffer && { buffer }) });
    else if (buffer !== undefined) this.#given.set(parameter, { argument: buffer.buffer, buffer });
    else if (valueForm(assignment.value.text).kind === "scalar") this.#scalar(parameter, assignment);
    else this.#report.wrong("PTX2103", assignment, assignment.value, "no value and no buffer", "1.5 or f32x4");
    return true;
  }

  #isOpen(parameter: Parameter): boolean {
    return (
      !this.#given.has(parameter) && ![...this.#shared, ...this.#maps].some((each) => each.parameter === parameter)
    );
  }

  #map({ parameter, assignment }: Pick<Sharing, "parameter" | "assignment">): void {
    const name = this.#tensorMaps.shares(assignment);
    const other = name === undefined ? undefined : this.find(name);
    const shared =
      name === undefined ? undefined : (this.#names.get(name)?.buffer ?? (other && this.#given.get(other)?.buffer));
    if (name !== undefined && shared === undefined) {
      const message = `${name} names no parameter with a buffer`;
      this.#report.wrong("PTX2103", assignment, assignment.value, message, "=NAME of one");
      return;
    }
    const map = this.#tensorMaps.make(parameter.name, assignment, shared);
    if (map === undefined) return;
    const buffer = map.made ?? shared;
    const pointer = parameter.bytes === 8 && /^[bsu]64$/.test(parameter.type);
    if (parameter.bytes !== map.bytes.length && !pointer) {
      const message = `${parameter.name} has ${parameter.bytes} bytes, and a tensor map ${map.bytes.length}`;
      this.#report.wrong(
        "PTX2206",
        assignment,
        assignment.value,
        message,
        "a parameter .align 64 .b8 NAME[128], or a pointer",
      );
      return;
    }
    const argument = pointer ? this.#tensorMaps.place(parameter.name, map.bytes) : map.bytes;
    this.#given.set(parameter, { argument, ...(map.made && buffer ? { buffer: map.made } : {}) });
  }

  #multimem(parameter: Parameter, assignment: Assignment, { devices, rest }: ValueForm & { kind: "multimem" }): void {
    const { value } = assignment;
    const start = value.span.end - rest.length;
    const of = { ...assignment, value: { text: rest, span: { start, end: value.span.end } } };
    const form = valueForm(rest);
    if (devices < 1 || devices > 64 || (form.kind !== "buffer" && form.kind !== "file")) {
      const message = `${value.text} is not multimem memory`;
      this.#report.wrong("PTX2103", assignment, value, message, "multimem:2:f32x8:fill=1, with 1 to 64 replicas");
      return;
    }
    if (parameter.bytes !== 8 || !/^[bsu]64$/.test(parameter.type)) {
      const message = `${parameter.name} is a .${parameter.type}, which cannot hold an address`;
      this.#report.wrong("PTX2206", assignment, value, message, "a value");
      return;
    }
    const made = this.#buffers.contents(form, of);
    const object = made && this.#buffers.multicast(parameter.name, made, devices, of);
    if (made === undefined || object === undefined) return;
    const replicas = object.replicas.map((buffer) => ({ name: buffer.name, type: made.type, buffer }));
    this.#given.set(parameter, { argument: object, replicas });
  }

  #scalar(parameter: Parameter, assignment: Assignment): void {
    const { value, type, source } = assignment;
    const declared = parameter.type;
    if (parameter.aggregate) {
      this.#report.wrong("PTX2206", assignment, value, `${parameter.name} is an aggregate`, "hex:... or @FILE.bin");
      return;
    }
    const chosen = type?.text ?? declared;
    const { value: bits, diagnostics } = scalars(value, chosen, source, 1, type);
    const explained = diagnostics.map((each) => explainArgument(each, parameter, this.#program, assignment));
    this.#report.diagnostics.push(...explained);
    const [one] = bits ?? [];
    if (one !== undefined) this.#given.set(parameter, { argument: { bits: one } });
  }

  #image(parameter: Parameter, assignment: Assignment): void {
    const made = this.#images.make(parameter.name, assignment);
    if (made === undefined) return;
    const { handle, buffer } = made;
    const { type, bytes, name } = parameter;
    if (bytes !== 8 || (!/^[bsu]64$/.test(type) && type !== handle.object.kind)) {
      const message = `${name} is a .${type}, which holds no handle of a .${handle.object.kind}`;
      this.#report.wrong("PTX2206", assignment, assignment.value, message, "a value");
    } else this.#given.set(parameter, { argument: handle, ...(buffer && { buffer }) });
  }

  #bytes(parameter: Parameter, assignment: Assignment, digits: string): void {
    const bytes = hexBytes(digits);
    const { value } = assignment;
    if (bytes === undefined)
      this.#report.wrong("PTX2101", assignment, value, "not pairs of hexadecimal digits", "hex:00ff");
    else if (bytes.length !== parameter.bytes) {
      const message = `${bytes.length} bytes for ${parameter.name}, which has ${parameter.bytes}`;
      this.#report.wrong("PTX2206", assignment, value, message, `${parameter.bytes} bytes`);
    } else this.#given.set(parameter, { argument: bytes });
  }

  #buffer(parameter: Parameter, assignment: Assignment, form: ValueForm & { kind: "buffer" | "file" }) {
    const made = this.#buffers.contents(form, assignment);
    if (made === undefined) return;
    const { value } = assignment;
    if (parameter.aggregate && made.contents instanceof Uint8Array) {
      if (made.contents.length === parameter.bytes) this.#given.set(parameter, { argument: made.contents });
      else {
        const message = `${made.contents.length} bytes for ${parameter.name}, which has ${parameter.bytes}`;
        this.#report.wrong("PTX2206", assignment, value, message, `${parameter.bytes} bytes`);
      }
      return;
    }
    if (parameter.bytes !== 8 || !/^[bsu]64$/.test(parameter.type)) {
      const message = `${parameter.name} is a .${parameter.type}, which cannot hold an address`;
      this.#report.wrong("PTX2206", assignment, value, message, "a value");
      return;
    }
    if (form.kind === "buffer") this.#noteWidth(parameter, assignment, form.type);
    const buffer = this.#buffers.allocate(parameter.name, made, assignment);
    if (buffer !== undefined) this.#given.set(parameter, { argument: buffer.buffer, buffer });
  }

  /** Elements of another width than the kernel reads are valid memory, and seldom what was meant. */
  #noteWidth(parameter: Parameter, assignment: Assignment, given: ElementType): void {
    const { value, source } = assignment;
    const { text, span } = value;
    const name = assignment.name.text || parameter.name;
    const read = otherType(this.#program, parameter, given);
    if (read === undefined) return;
    const meant = `${read}${text.slice(given.length)}`;
    this.#report.diagnostics.push(
      problem("PTX2214", `${name} is a buffer of ${given}, through which the kernel reads or writes ${read}`, {
        severity: "note",
        source,
        span,
        help: [{ message: `write ${name}=${meant}`, replace: { span, text: meant } }],
      }),
    );
  }
}

const zero = ({ bytes }: Parameter): Argument => new Uint8Array(bytes);
