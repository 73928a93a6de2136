import { expect, it } from "vitest";
import { palette } from "../../../src/environment/colour.ts";

const streams = { terminal: { out: true, err: true }, env: {} } as unknown as Parameters<typeof palette>[2];
const { error, strong, faint, good } = palette("always", "out", streams);
const visible = (text: string): string => text.replaceAll("\u001b[", "<").replaceAll(/<(\d+)m/g, "<$1>");

it("writes in colours", () => {
  expect(visible(error("no"))).toBe("<1><31>no<39><22>");
  expect(visible(good("yes"))).toBe("<32>yes<39>");
  expect(faint("")).toBe("");
});

it("goes on after what is written otherwise within", () => {
  expect(visible(error(`a${good("b")}c`))).toBe("<1><31>a<32>b<39><31>c<39><22>");
  expect(visible(strong(`a${faint("b")}c`))).toBe("<1>a<2>b<22><1>c<22>");
});

it("leaves no line in a colour", () => {
  expect(visible(good("a\r\nb\nc"))).toBe("<32>a<39>\r\n<32>b<39>\n<32>c<39>");
});
