// PTX for tree-sitter. No instruction is named here: an opcode is a word with its suffixes, as in ptxrun's own lexer, and
// the table knows what it means.
const comma = (rule) => optional(seq(rule, repeat(seq(",", rule))));

/** Binary operators of constant expressions, loosest first (PTX ISA 4.5.6). */
const operators = [
  "||",
  "&&",
  "|",
  "^",
  "&",
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

module.exports = grammar({
  name: "ptx",
  extras: ($) => [/\s/, $.comment, $.line_marker],
  word: ($) => $.word,
  rules: {
    module: ($) => repeat($._item),

    comment: (_) => token(choice(seq("//", /[^\n]*/), seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),
    line_marker: (_) => token(seq("#", /[ \t]*(line[ \t]+)?\d+[^\n]*/)),

    _item: ($) => choice($.header, $.location, $.function, $.section, $.declaration, $._statement),

    header: ($) =>
      choice(
        seq(".version", $.float),
        seq(".target", $.word, repeat(seq(",", $.word))),
        seq(".address_size", $.integer),
        seq(".file", $.integer, $.string, repeat(seq(",", $.integer))),
        seq(".pragma", $.string, repeat(seq(",", $.string)), ";"),
        seq(".alias", $._name, ",", $._name, ";"),
      ),
    location: ($) =>
      prec.right(
        seq(
          ".loc",
          $.integer,
          $.integer,
          $.integer,
          optional(
            seq(",", $.word, $._name, optional(seq("+", $.integer)), ",", $.word, $.integer, $.integer, $.integer),
          ),
        ),
      ),

    function: ($) =>
      seq(
        repeat($.linkage),
        choice(".entry", ".func"),
        repeat($.attribute),
        optional(field("result", $.parameters)),
        field("name", $._name),
        optional(field("parameters", $.parameters)),
        repeat($.tuning),
        choice(field("body", $.block), ";"),
      ),
    linkage: (_) => choice(".visible", ".extern", ".weak", ".common"),
    attribute: ($) => seq(".attribute", "(", comma(seq($.dotted, optional(seq("(", comma($._expression), ")")))), ")"),
    parameters: ($) => seq("(", comma(choice($.parameter, $.word)), ")"),
    parameter: ($) => seq($.space, repeat($._quality), $._name, optional($.extent)),
    tuning: ($) => seq($.dotted, comma($.integer)),

    section: ($) => seq(".section", choice($.dotted, $._name), "{", repeat(choice($.section_data, $.label)), "}"),
    section_data: ($) => prec.right(seq($.dotted, comma($._expression))),

    declaration: ($) =>
      seq(repeat($.linkage), $.space, repeat($._quality), $.variable, repeat(seq(",", $.variable)), ";"),
    space: (_) =>
      token(
        seq(
          choice(".reg", ".sreg", ".global", ".const", ".shared", ".local", ".param", ".tex"),
          optional(/(::[a-z]+)+/),
          optional(/\[\d+\]/),
        ),
      ),
    _quality: ($) => choice(seq(".align", $.integer), $.attribute, $.dotted),
    variable: ($) =>
      seq(
        field("name", $._name),
        optional(seq("<", $.integer, ">")),
        optional($.extent),
        optional(seq("=", field("value", $._initial))),
      ),
    extent: ($) => repeat1(seq("[", optional($._expression), "]")),
    _initial: ($) => choice($._expression, $.list),
    list: ($) => seq("{", comma($._initial), optional(","), "}"),

    block: ($) => seq("{", repeat($._inner), "}"),
    _inner: ($) => choice($.location, $.header, $.declaration, $._statement),
    _statement: ($) => choice($.block, $.label, $.instruction, $.targets, ";"),
    label: ($) => seq(field("name", $._name), ":"),
    targets: ($) =>
      choice(
        seq(choice(".branchtargets", ".calltargets"), comma($._name), ";"),
        seq(".callprototype", optional($.parameters), $.word, optional($.parameters), repeat($.tuning), ";"),
      ),
    instruction: ($) =>
      seq(optional($.guard), field("opcode", $.word), repeat(field("suffix", $.dotted)), comma($._operand), ";"),
    guard: ($) => seq("@", optional("!"), $._name),

    _operand: ($) => choice($._expression, $.address, $.vector),
    address: ($) => seq("[", comma(choice($._expression, $.vector, $.address)), "]", optional(seq("+", $.integer))),
    vector: ($) => prec.right(seq("{", comma(choice($._expression, $.vector)), "}", optional(seq("|", $._name)))),

    _expression: ($) =>
      choice(
        $.integer,
        $.float,
        $.register,
        $.word,
        $.string,
        $.group,
        $.unary,
        $.binary,
        $.conditional,
        $.cast,
        $.generic,
        $.indexed,
      ),
    indexed: ($) => prec(21, seq(choice($.register, $.word), "[", $._expression, "]")),
    generic: ($) => prec(21, seq($.word, "(", $._expression, ")")),
    group: ($) => seq("(", comma($._expression), ")"),
    cast: ($) => prec(19, seq("(", $.dotted, ")", $._expression)),
    unary: ($) => prec(18, seq(choice("-", "+", "!", "~"), $._expression)),
    binary: ($) =>
      choice(
        ...operators.flatMap((level, at) =>
          [level].flat().map((operator) => prec.left(at + 2, seq($._expression, operator, $._expression))),
        ),
      ),
    conditional: ($) => prec.right(1, seq($._expression, "?", $._expression, ":", $._expression)),

    _name: ($) => choice($.word, $.register),
    word: (_) => /[A-Za-z_][\w$]*(\.[\w$]+(::[\w$]+(:[0-9]+)?)*)*/,
    register: (_) => /[%$][\w$]+(\.[\w$]+)*/,
    dotted: (_) => /\.[A-Za-z_][\w$]*(::[\w$]+(:[0-9]+)?)*/,
    integer: (_) => /(0[xX][\da-fA-F]+|0[bB][01]+|\d+)U?/,
    float: (_) =>
      token(
        prec(1, /0[fF][\da-fA-F]{8}|0[dD][\da-fA-F]{16}|\d+\.\d*([eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+([eE][+-]?\d+)?/),
      ),
    string: (_) => /"[^"\n]*"/,
  },
});
