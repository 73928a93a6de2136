import { pages } from "./page.ts";

/** PTX16xx: constant expressions and initialisers. */
export const constant = pages({
  PTX1601: {
    title: "integer constant too large",
    why: "Integer constants have 64 bits (PTX ISA 4.5.1).",
    wrong: ".global .u64 g = 99999999999999999999;",
    right: ".global .u64 g = 0xffffffffffffffff;",
  },
  PTX1602: {
    title: "floating-point constant out of range",
    why: "A decimal constant is a double; one that overflows or would be subnormal is rejected by ptxas as well.",
    wrong: ".global .f64 g = 1e-400;",
    right: ".global .f64 g = 0d0000000000000001;",
  },
  PTX1603: {
    title: "division by zero in a constant expression",
    why: "The expression has no value. Both arms of ?: and both sides of && and || are computed.",
    wrong: ".global .u32 g = 7/0;",
  },
  PTX1604: {
    title: "integer and float in one operation",
    why: "Constant expressions do not convert between integers and floats (PTX ISA 4.5.5).",
    wrong: ".global .f32 g = 1 + 1.0;",
    right: ".global .f32 g = 1.0 + 1.0;",
  },
  PTX1605: {
    title: "an integer is needed",
    why: "! ~ % << >> & ^ | && || ?: and casts work on integer constants only, and so do sizes and counts.",
    wrong: ".global .u32 g = ~1.0;",
    right: ".global .u32 g = ~1;",
  },
  PTX1606: {
    title: "no such cast",
    why: "Constant expressions cast to .s64 and .u64 only (PTX ISA 4.5.3).",
    wrong: ".global .u32 g = (.s32)-1;",
    right: ".global .u32 g = (.s64)-1;",
  },
  PTX1607: {
    title: "arithmetic on raw 32-bit floats",
    why: "0f and eight digits are bits as they stand. In parentheses ptxas lets operators pass and computes with a double that has these bits in its low word, which nobody wants.",
    wrong: ".global .f32 g = -(0f3f800000);",
    right: ".global .f32 g = 0fbf800000;",
  },
  PTX1608: {
    title: "address expression of the wrong form",
    why: "An address constant is name, name+integer, generic(name), generic(name)+integer or mask(name+integer).",
    wrong: ".global .u8 b = 0xFF(0xFF(x));",
    right: ".global .u8 b = 0xFF(x);",
  },
  PTX1609: {
    title: "mask of the wrong form",
    why: "The mask operator selects one byte of an address: 0xFF, 0xFF00 and so on (PTX ISA 5.4.4).",
    wrong: ".global .u8 b = 0x7F(x);",
    right: ".global .u8 b = 0xFF(x);",
  },
  PTX1610: {
    title: "initial value of the wrong type",
    why: "Integers initialise integer and bit types, floats initialise .f32, .f64, .b32 and .b64, addresses .u32, .u64 and, with a mask, .u8.",
    wrong: ".global .u32 g = 1.0;",
    right: ".global .f32 g = 1.0;",
  },
  PTX1611: {
    title: "too many initial values",
    why: "A list holds at most as many values as its dimension; the rest is filled with zeros (PTX ISA 5.4.4).",
    wrong: ".global .u32 g[2] = {1, 2, 3};",
    right: ".global .u32 g[3] = {1, 2, 3};",
  },
  PTX1612: {
    title: "initial value of the wrong shape",
    why: "A scalar takes a value, an array a list in braces, an array of arrays a list of lists, a vector a list of exactly its elements.",
    wrong: ".global .u32 g[2][2] = {1, 2};",
    right: ".global .u32 g[2][2] = {{1, 2}, {0, 0}};",
  },
  PTX1613: {
    title: "initial value not allowed here",
    why: "Only .global and .const variables that are defined here take one, and not of type .f16 or .f16x2 (PTX ISA 5.4.4).",
    wrong: ".shared .u32 s = 1;",
    right: ".shared .u32 s;",
  },
  PTX1614: {
    title: "no such symbol for an initial value",
    why: "An initial value may name a variable in .global or .const or a function that stands before it.",
    wrong: ".global .u64 p = later; .global .u32 later;",
    right: ".global .u32 later; .global .u64 p = later;",
  },
  PTX1615: {
    title: "initial value of a texture, sampler or surface",
    why: "An opaque variable takes values of its named members: sizes and formats, and of a texture or sampler filter_mode, addr_mode_0 to addr_mode_2 (PTX ISA 5.3).",
    wrong: ".global .texref t = { filter_mode = bilinear };",
    right: ".global .texref t = { filter_mode = linear, addr_mode_0 = wrap };",
  },
});
