import { type Section, section } from "../form/define.ts";
import { queries } from "./query.ts";
import { surfaces } from "./surface.ts";
import { tex } from "./tex.ts";
import { tld4 } from "./tld4.ts";

export const texture: Section = section(
  { of: "texture", name: "texture-surface", title: "Texture and Surface" },
  [...tex, ...tld4, ...queries, ...surfaces],
  { surface: "suld sust sured suq" },
);
