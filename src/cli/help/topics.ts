/** The pages of `ptxrun help TOPIC`, and a line about each. Their texts are in pages.ts, which few command lines load. */
export const topics = {
  inputs: "how a program gets its inputs: registers, parameters, buffers",
  values: "how numbers, bits and buffers are written",
  dumps: "what is shown at the end, and how buffers are read and written",
  sanitize: "what is checked along: mem, init, sync, race, bounds",
  schedule: "orders of warps and blocks, seeds, copies, weak memory",
  targets: "which GPU, which version of PTX, whose tensor cores",
  formats: "text, JSON and reports for machines",
  "exit-codes": "what each exit code means",
  visa: "Intel vISA: how a launch differs from one of PTX",
} as const;

export type Topic = keyof typeof topics;
