import type { ArgumentShape, CommandShape, OptionShape, ValueShape } from "../tree.ts";
import { commandOf } from "./words.ts";

/** A completion function for zsh, to be put into a file `_ptxrun` in a folder of `$fpath`. */
export function zsh(program: CommandShape): string {
  const { commands } = program;
  return `#compdef ptxrun
# Completion of ptxrun for zsh: ptxrun completion zsh > a folder of $fpath/_ptxrun
_ptxrun_kernels() {
  local -a names
  names=(\${(f)"$($ptxrun_command kernels-for zsh "$ptxrun_line" 2>/dev/null </dev/null)"})
  compadd "$@" -- $names
}
_ptxrun() {
  local ptxrun_command=\${(Q)words[1]} ptxrun_line="\${(j: :)words[1,CURRENT]}"
  local command=${commandOf(program).name}
  local -a commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  case $words[2] in
    (${commands.map(({ name }) => name).join("|")})
      command=$words[2]
      shift words
      (( CURRENT-- )) ;;
  esac
  case $command in
${commands.map(branch).join("\n")}
  esac
}
if [[ $funcstack[1] == _ptxrun ]]; then _ptxrun "$@"; else compdef _ptxrun ptxrun; fi
`;
}

const branch = ({ name, options, arguments: positions }: CommandShape): string =>
  [`    (${name}) _arguments -s`, ...options.map(optionSpec), ...positions.map(argumentSpec)]
    .join(" \\\n      ")
    .concat(" ;;");

/** `*{-o+,--output=}[what it does]:file:_files`; the star allows it more than once. */
function optionSpec({ short, long, description, placeholder, value }: OptionShape): string {
  const names = [
    ...(short === undefined ? [] : [value === undefined ? short : `${short}+`]),
    ...(long === undefined ? [] : [value === undefined ? long : `${long}=`]),
  ];
  const text = `[${escaped(description)}]${value === undefined ? "" : `:${escaped(placeholder ?? "value")}:${action(value)}`}`;
  return names.length > 1 ? `'*'{${names.join(",")}}${quoted(text)}` : quoted(`*${names.join("")}${text}`);
}

const argumentSpec = ({ name, variadic, value }: ArgumentShape): string =>
  quoted(`${variadic ? "*" : ""}:${escaped(name)}:${action(value)}`);

function action(value: ValueShape): string {
  if (value.kind === "choice") return `(${value.words.join(" ")})`;
  if (value.kind === "kernel") return "_ptxrun_kernels";
  return value.kind === "path" ? "_files" : " ";
}

/** In a specification brackets and colons have a meaning. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, (each) => `\\${each}`);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
