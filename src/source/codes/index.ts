import { advice } from "./advice.ts";
import { campaign } from "./campaign.ts";
import { constant } from "./constant.ts";
import { doubt } from "./doubt.ts";
import { fault } from "./fault.ts";
import { finding } from "./finding.ts";
import { form } from "./form.ts";
import { gap } from "./gap.ts";
import { golden } from "./golden.ts";
import { header } from "./header.ts";
import { host } from "./host.ts";
import { limit } from "./limit.ts";
import { litmus } from "./litmus.ts";
import { operand } from "./operand.ts";
import type { Page } from "./page.ts";
import { repl } from "./repl.ts";
import { symbol } from "./symbol.ts";
import { syntax } from "./syntax.ts";
import { tensorMemory } from "./tensor-memory.ts";
import { visa } from "./visa.ts";
import { visaObject } from "./visa-object.ts";

const all = {
  ...syntax,
  ...form,
  ...operand,
  ...symbol,
  ...header,
  ...constant,
  ...host,
  ...repl,
  ...fault,
  ...finding,
  ...tensorMemory,
  ...gap,
  ...limit,
  ...golden,
  ...advice,
  ...doubt,
  ...visa,
  ...visaObject,
  ...litmus,
  ...campaign,
};

/** Every diagnostic code that ptxrun can give. */
export type Code = keyof typeof all;

export const codes: ReadonlyMap<string, Page> = new Map<string, Page>(Object.entries(all));

export type { Page } from "./page.ts";
