import { type ArrowName, arrowNames } from "./words.ts";

/** The class of the picture; all its rules are below it, so that they leave the page alone in which a picture stands. */
export const pictureClass = "ptxrun-picture";

type Shade = "light" | "dark";

const ground = {
  paper: { light: "#ffffff", dark: "#14171c" },
  box: { light: "#f4f6f9", dark: "#20252d" },
  edge: { light: "#8a94a3", dark: "#6f7b8b" },
  ink: { light: "#1b1f24", dark: "#e8ecf1" },
  quiet: { light: "#555f6d", dark: "#a7b1bf" },
  forbids: { light: "#c4002f", dark: "#ff6480" },
} satisfies Record<string, Record<Shade, string>>;

/** Each arrow has a colour, and a pattern for those who do not tell colours apart; names stand beside all of them. */
const arrows: Readonly<
  Record<ArrowName, Record<Shade, string> & { readonly dashes?: string; readonly width?: number }>
> = {
  po: { light: "#6a7482", dark: "#8f9bab" },
  rf: { light: "#0b7a3b", dark: "#4ccb8b", width: 1.6 },
  co: { light: "#7d5200", dark: "#e3ad4e", dashes: "9 4" },
  fr: { light: "#a8480a", dark: "#ffa067", dashes: "9 3 2 3" },
  sw: { light: "#1b59c9", dark: "#80b2ff", width: 2.4 },
  sc: { light: "#7336b8", dark: "#c6a0ff", dashes: "3 3", width: 2 },
  cause: { light: "#3d4450", dark: "#cfd6df", dashes: "1 3", width: 2 },
  dep: { light: "#00697a", dark: "#52d3e2", dashes: "5 3" },
  rmw: { light: "#8f1f7d", dark: "#f08be0" },
};

const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace';
const sans = 'system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans","Liberation Sans",Arial,sans-serif';

/** The rules of a picture: light, and dark where the reader prefers that. Fonts are those of the system. */
export const pictureStyle: string = [
  rule("text", `font:12px ${sans}`),
  rule(".effect", `font:600 13px ${mono}`),
  rule(".code", `font:11px ${mono}`),
  rule(".steps", `font:12px ${mono}`),
  rule(".head", `font:700 14px ${sans};text-anchor:middle`),
  rule(".title", `font:700 16px ${sans}`),
  rule(".middle", "text-anchor:middle"),
  rule(".line path", "fill:none;stroke-linejoin:round"),
  rule(".line text,.key .name", `font:600 12px ${sans}`),
  rule(".line text", "text-anchor:middle;stroke-width:5;stroke-linejoin:round;paint-order:stroke"),
  rule(".frame", "fill:none;stroke-width:1;stroke-dasharray:2 3"),
  rule(".box", "stroke-width:1"),
  ...arrowNames.map((name) => {
    const { dashes, width = 1.4 } = arrows[name];
    return rule(`.${name} path`, `stroke-width:${width}${dashes ? `;stroke-dasharray:${dashes}` : ""}`);
  }),
  rule(".aside path,.aside polygon", "opacity:.5"),
  rule(".forbids path", "stroke-width:3.2;stroke-dasharray:none"),
  rule(".box.forbids", "stroke-width:2.4"),
  ...colours("light"),
  `@media (prefers-color-scheme:dark){${colours("dark").join("")}}`,
].join("");

function colours(shade: Shade): string[] {
  const of = (name: keyof typeof ground) => ground[name][shade];
  return [
    rule(".paper", `fill:${of("paper")}`),
    rule("text", `fill:${of("ink")}`),
    rule(".code,.quiet", `fill:${of("quiet")}`),
    rule(".box", `fill:${of("box")};stroke:${of("edge")}`),
    rule(".frame", `stroke:${of("edge")}`),
    rule(".line text", `stroke:${of("paper")}`),
    ...arrowNames.flatMap((name) => strokes(`.${name}`, arrows[name][shade])),
    ...strokes(".line.forbids", of("forbids")),
    rule(".box.forbids", `stroke:${of("forbids")}`),
    rule("text.forbids", `fill:${of("forbids")}`),
  ];
}

function strokes(which: string, colour: string): string[] {
  return [rule(`${which} path`, `stroke:${colour}`), rule(`${which} polygon,${which} .name`, `fill:${colour}`)];
}

/** One rule for what is inside a picture. */
function rule(which: string, what: string): string {
  const all = which.split(",").map((each) => `.${pictureClass} ${each}`);
  return `${all.join(",")}{${what}}`;
}
