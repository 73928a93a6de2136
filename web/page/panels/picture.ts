import { element } from "../element.ts";
import type { Element } from "./elements.ts";

/** From little to much: steps that differ in lightness, too. */
const ramp = [[20, 11, 53], [81, 18, 124], [182, 54, 121], [251, 136, 97], [252, 253, 191]] as const; // biome-ignore format: a table

/** Where a number lies between the least and the most. */
function colourOf(part: number): readonly [number, number, number] {
  const at = Math.min(Math.max(part, 0), 1) * (ramp.length - 1);
  const low = ramp[Math.floor(at)] ?? ramp[0];
  const high = ramp[Math.min(Math.floor(at) + 1, ramp.length - 1)] ?? low;
  const mix = (each: 0 | 1 | 2): number => Math.round(low[each] + (high[each] - low[each]) * (at % 1));
  return [mix(0), mix(1), mix(2)];
}

/**
 * A buffer of two dimensions as a picture, with what its colours mean, and the number under the pointer; `act` is told which element
 * is clicked.
 */
export function picture(): {
  readonly element: HTMLElement;
  draw(name: string, elements: readonly Element[], wide: readonly [number, number], act: (index: number) => void): void;
} {
  const canvas = element("canvas", { class: "picture", role: "img" });
  const least = element("span");
  const most = element("span");
  const under = element("p", { class: "note" });
  const legend = element(
    "p",
    { class: "ramp" },
    least,
    element("span", { class: "colours", "aria-hidden": "true" }),
    most,
  );
  let told = (_x: number, _y: number): void => {};
  let clicked = (_x: number, _y: number): void => {};
  const place = ({ offsetX, offsetY }: MouseEvent): [x: number, y: number] => [
    Math.floor((offsetX / canvas.clientWidth) * canvas.width),
    Math.floor((offsetY / canvas.clientHeight) * canvas.height),
  ];
  canvas.addEventListener("pointermove", (event) => told(...place(event)));
  canvas.addEventListener("click", (event) => clicked(...place(event)));
  return {
    element: element("div", { class: "pictured", hidden: true }, canvas, element("div", {}, legend, under)),
    draw(name, elements, [wide, high], act) {
      told = (x, y) => {
        const found = elements[y * wide + x];
        if (found !== undefined) under.textContent = `x ${x}, y ${y}: ${found.text}`;
      };
      clicked = (x, y) => act(y * wide + x);
      const numbers = elements.map(({ text }) => Number(text));
      const known = numbers.filter(Number.isFinite);
      const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
      const high_ = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      [canvas.width, canvas.height] = [wide, high];
      canvas.style.aspectRatio = `${wide} / ${high}`;
      const paper = canvas.getContext("2d");
      const image = paper?.createImageData(wide, high);
      if (paper === null || image === undefined) return;
      for (const [at, value] of numbers.entries()) {
        // What is no number stands out.
        const colour = Number.isFinite(value)
          ? colourOf(high_ > low ? (value - low) / (high_ - low) : 0)
          : [0, 200, 255];
        image.data.set([...colour, 255], at * 4);
      }
      paper.putImageData(image, 0, 0);
      const strange = numbers.length - known.length;
      least.textContent = `${low}`;
      most.textContent = `${high_}`;
      under.textContent = strange === 0 ? "" : `${strange} blue: NaN or infinite`;
      const also = strange === 0 ? "" : `, and ${strange} that are not numbers`;
      canvas.setAttribute("aria-label", `${name} as a picture, ${wide} by ${high}: from ${low} to ${high_}${also}`);
    },
  };
}
