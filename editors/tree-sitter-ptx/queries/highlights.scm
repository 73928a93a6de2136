(comment) @comment
(line_marker) @keyword.directive
(string) @string
(integer) @number
(float) @number.float

(register) @variable
(word) @variable.parameter
(dotted) @type
(space) @keyword.modifier
(linkage) @keyword.modifier

(instruction opcode: (word) @function.builtin)
(instruction suffix: (dotted) @function.builtin)
(guard "@" @operator)
(label name: (_) @label)
(function name: (_) @function)
(variable name: (_) @variable)

[
  ".version" ".target" ".address_size" ".file" ".pragma" ".alias" ".loc" ".section" ".entry" ".func" ".attribute"
  ".align" ".branchtargets" ".calltargets" ".callprototype"
] @keyword.directive

["{" "}" "[" "]" "(" ")"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter
