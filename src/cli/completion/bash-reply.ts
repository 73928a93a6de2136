/** Where bash breaks words that it completes (COMP_WORDBREAKS), besides blanks and quotes. */
const breaks = "><=;|&(:";
/** What bash takes for more than itself. */
const special = /[^\w%@,.+/:=^-]/g;

/**
 * What bash puts in the place of a word that is being typed: only what stands behind the last character that breaks words,
 * with backslashes; within a quote the whole of it.
 */
export function bashReply(name: string, typed: string, open: "'" | '"' | undefined): string {
  if (open !== undefined && typed.startsWith(open)) return open === '"' ? name.replace(/["\\$`]/g, "\\$&") : name;
  return name.slice(kept(typed)).replace(special, "\\$&");
}

/** How many characters of the name bash leaves as they are; `--entry=` is not of it. */
function kept(typed: string): number {
  let read = 0;
  let whole = 0;
  const option = typed.startsWith("--entry=") ? "--entry=".length : 0;
  for (let at = option; at < typed.length; at++) {
    if (typed[at] === "\\") at++;
    else if (breaks.includes(typed[at] ?? "")) whole = read + 1;
    read++;
  }
  return whole;
}
