/** How an operator is written around its operands. */
export type OperatorShape =
  | "binary"
  | "prefix"
  | "postfix"
  | "index"
  | "call"
  | "conditional"
  | "member"
  | "new"
  | "delete"
  | "named cast"
  | "of type"
  | "of expression";

export interface Operator {
  /** As in C++, without the word operator. */
  readonly text: string;
  readonly shape: OperatorShape;
}

const table: readonly (readonly [shape: OperatorShape, operators: string])[] = [
  [
    "binary",
    "aN:&= aS:= aa:&& an:& cm:, dV:/= dv:/ eO:^= eo:^ eq:== ge:>= gt:> lS:<<= le:<= ls:<< lt:< mI:-= mL:*= mi:- ml:* " +
      "ne:!= oR:|= oo:|| or:| pL:+= pl:+ rM:%= rS:>>= rm:% rs:>> ss:<=> pm:->* ds:.*",
  ],
  ["prefix", "ad:& co:~ de:* ng:- nt:! ps:+"],
  ["postfix", "mm:-- pp:++"],
  ["index", "ix:[]"],
  ["call", "cl:()"],
  ["conditional", "qu:?"],
  ["member", "dt:. pt:->"],
  ["new", "nw:_new na:_new[]"],
  ["delete", "dl:_delete da:_delete[]"],
  ["named cast", "dc:dynamic_cast sc:static_cast cc:const_cast rc:reinterpret_cast"],
  ["of type", "at:alignof st:sizeof ti:typeid"],
  ["of expression", "az:alignof sz:sizeof te:typeid nx:noexcept aw:_co_await"],
];

/** The operators by their two letters. */
export const operators: ReadonlyMap<string, Operator> = new Map(
  table.flatMap(([shape, all]) =>
    all
      .split(" ")
      .map((each): [string, Operator] => [each.slice(0, 2), { text: each.slice(3).replace("_", " "), shape }]),
  ),
);
