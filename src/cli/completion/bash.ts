import type { CommandShape, ValueShape } from "../tree.ts";
import { commandOf, namesOf } from "./words.ts";

/**
 * A completion script for bash 4 and newer. Where a path is expected it offers nothing, and `-o default` makes bash
 * complete file names, which it quotes correctly.
 */
export function bash(program: CommandShape): string {
  const commands = program.commands.map(({ name }) => name);
  return `# Completion of ptxrun for bash: source <(ptxrun completion bash)
# The word that is typed belongs to --entry, however bash parts it: at : < > ( and =, and at blanks in quotes.
_ptxrun_entry='(^|[[:space:]])--entry(=|[[:space:]]+)("[^"]*|'"'[^']*"'|([^[:space:]"\\'"'"']|\\\\.)*)$'
_ptxrun_kernels() {
  mapfile -t COMPREPLY < <("$1" kernels-for bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
}
_ptxrun() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=${commandOf(program).name} words=
  COMPREPLY=()
  # bash parts --option=value in three.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${commands.join("|")}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  if [[ "\${COMP_LINE:0:COMP_POINT}" =~ $_ptxrun_entry ]]; then prev=--entry; fi
  case "$command $prev" in
${program.commands.flatMap(valueCases).join("\n")}
  esac
  case $command in
${program.commands.map((command) => wordsCase(command)).join("\n")}
  esac
  if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then words="${commands.join(" ")}"; fi
  if ((COMP_CWORD == 1)) && [[ $cur == -* ]]; then words+=" ${program.options.flatMap(namesOf).join(" ")}"; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _ptxrun ptxrun
`;
}

/** The values of options, one line for all options that take the same values. */
function valueCases({ name, options }: CommandShape): string[] {
  const byReply = new Map<string, string[]>();
  for (const option of options) {
    if (option.value === undefined) continue;
    const patterns = namesOf(option).map((each) => `"${name} ${each}"`);
    const same = byReply.get(reply(option.value));
    if (same === undefined) byReply.set(reply(option.value), patterns);
    else same.push(...patterns);
  }
  return [...byReply].map(([words, patterns]) => `    ${patterns.join(" | ")}) ${words} ;;`);
}

function reply(value: ValueShape): string {
  if (value.kind === "choice")
    return `mapfile -t COMPREPLY < <(compgen -W "${value.words.join(" ")}" -- "$cur"); return`;
  if (value.kind === "kernel") return `compopt +o default 2>/dev/null; _ptxrun_kernels "$1"; return`;
  return value.kind === "path" ? "return" : "compopt +o default 2>/dev/null; return";
}

function wordsCase({ name, options, arguments: [first] }: CommandShape): string {
  const words = first?.value.kind === "choice" ? first.value.words.join(" ") : "";
  return `    ${name}) if [[ $cur == -* ]]; then words="${options.flatMap(namesOf).join(" ")}"; else words="${words}"; fi ;;`;
}
