import { describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../dap/memory.ts";
import { Client } from "./client.ts";
import { walk, walking } from "./programs.ts";

const bytesOf = (text: string): number[] => [...Buffer.from(text, "base64")];

describe("memory", () => {
  it("is read where a variable lies", async () => {
    const client = await Client.launch(walk, walking);
    const { memoryReference } = await client.variable("Buffers and global memory", "x");
    const { data, address } = await client.ask("readMemory", { memoryReference, count: 8, offset: 4 });
    expect(bytesOf(data)).toEqual([1, 0, 0, 0, 2, 0, 0, 0]);
    expect(address).toMatch(/^global:0x[0-9a-f]+4$/);
  });

  it("is read as far as there is some", async () => {
    const client = await Client.launch(walk, walking);
    const { memoryReference } = await client.variable("Buffers and global memory", "x");
    const answer = await client.ask("readMemory", { memoryReference, count: 1000 });
    expect(bytesOf(answer.data).length + answer.unreadableBytes).toBe(1000);
    expect(bytesOf(answer.data).length).toBe(128);
  });

  it("that there is not has no bytes", async () => {
    const client = await Client.launch(walk, walking);
    const answer = await client.ask("readMemory", { memoryReference: "global:0x10", count: 16 });
    expect(answer).toMatchObject({ data: "", unreadableBytes: 16 });
    expect(await client.ask("readMemory", { memoryReference: "0x10", count: 0 })).toMatchObject({ data: "" });
  });

  it.each(["nowhere:0x1", "x", "", "0x", "global:", "global:-1"])("at %j is refused", async (memoryReference) => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("readMemory", { memoryReference, count: 4 })).toMatch(/is not a place in memory/);
  });

  it("is written, and the program goes on with it", async () => {
    const client = await Client.launch(walk, walking);
    const { memoryReference } = await client.variable("Buffers and global memory", "x");
    const data = Buffer.from([10, 0, 0, 0]).toString("base64");
    expect(await client.ask("writeMemory", { memoryReference, data })).toEqual({ bytesWritten: 4 });
    await client.break(36);
    await client.move("continue");
    expect(await client.value("%r3")).toMatch(/^30 /);
    expect(client.order()).toContain("invalidated!");
  });

  it("of constants and shared memory is read, too", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(43);
    await client.move("continue");
    const at = async (scope: string, name: string) => {
      const { memoryReference } = await client.variable(scope, name);
      return bytesOf((await client.ask("readMemory", { memoryReference, count: 8 })).data);
    };
    expect(await at("Constants", "table")).toEqual([1, 0, 0, 0, 2, 0, 0, 0]);
    expect(await at("Shared memory", "tile")).toEqual([0, 0, 0, 0, 6, 0, 0, 0]);
  });

  it("is not written where there is none, or what is no base64", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("writeMemory", { memoryReference: "global:0x10", data: "AAAA" })).not.toMatch(/bug/);
    expect(await client.refused("writeMemory", { memoryReference: "global:0x10", data: "*" })).toMatch(/not base64/);
  });

  it.each([0, 1, 2, 3, 0x2000, 0x2001])("of %i bytes is the same in base64 and back", (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  });
});

describe("disassembly", () => {
  it("has an instruction for each that was asked for, with their lines", async () => {
    const client = await Client.launch(walk, walking);
    const { instructionPointerReference } = await client.frame();
    const { instructions } = await client.ask("disassemble", {
      memoryReference: instructionPointerReference,
      instructionCount: 9,
    });
    expect(instructions.map((each: { line: number }) => each.line)).toEqual([20, 21, 22, 23, 24, 25, 26, 28, 29]);
    expect(instructions[0]).toMatchObject({ address: "0x0", instruction: expect.stringMatching(/^mov\.u32 %r1/) });
    expect(instructions[7].symbol).toMatch(/again/);
  });

  it("goes around an instruction", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(28);
    await client.move("continue");
    const { instructionPointerReference } = await client.frame();
    const ask = (instructionOffset: number, offset?: number) =>
      client.ask("disassemble", {
        memoryReference: instructionPointerReference,
        instructionOffset,
        offset,
        instructionCount: 3,
      });
    expect((await ask(-1)).instructions.map((each: { line: number }) => each.line)).toEqual([26, 28, 29]);
    expect((await ask(0, 1)).instructions[0].line).toBe(29);
  });

  it("is invalid where the program has no instruction", async () => {
    const client = await Client.launch(walk, walking);
    const { instructions } = await client.ask("disassemble", {
      memoryReference: "0x0",
      instructionOffset: -2,
      instructionCount: 100,
    });
    expect(instructions).toHaveLength(100);
    expect(instructions[0]).toMatchObject({ presentationHint: "invalid" });
    expect(instructions[2].instruction).toMatch(/^mov/);
    expect(instructions[99]).toMatchObject({ presentationHint: "invalid" });
    const addresses = instructions.map((each: { address: string }) => each.address);
    expect(new Set(addresses).size).toBe(100);
  });

  it("is refused for what is not an instruction", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("disassemble", { memoryReference: "x", instructionCount: 1 })).toMatch(
      /not an instruction/,
    );
    expect(await client.refused("disassemble", { memoryReference: "0x0" })).toMatch(/instructionCount is missing/);
  });

  it("of very many is cut", async () => {
    const client = await Client.launch(walk, walking);
    const ask = (instructionCount: number) => client.ask("disassemble", { memoryReference: "0x0", instructionCount });
    expect((await ask(1e9)).instructions).toHaveLength(10_000);
    expect((await ask(-5)).instructions).toHaveLength(0);
  });
});
