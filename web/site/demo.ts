import { highlighted } from "./highlight.ts";
import { type Html, html, raw } from "./html.ts";
import { columns, type Recording } from "./recorded.ts";

/** Colours of lines in the strip, as the playground has them. */
const hues = [162, 215, 40, 280, 340, 100, 190, 15];

/** The recorded run as it stands at a position: what can be seen without a script, which plays it. */
export function demo(recording: Recording, position: number): Html {
  const { text, lanes, steps, changes } = recording;
  const [line, active] = steps[position] ?? [0, 0];
  const values = columns.map(() => Array.from({ length: lanes }, () => 0));
  for (const change of changes.slice(0, position))
    for (const [column, lane, value] of change) (values[column] as number[])[lane] = value;
  const lines = highlighted(text)
    .html.split("\n")
    .map(
      (each, at) => html`<span class="line${at + 1 === line ? " now" : ""}">${raw(each === "" ? " " : each)}</span>`,
    );
  const rows = Array.from({ length: lanes }, (_, lane) => {
    const on = (active >>> lane) & 1;
    return html`<tr${on === 1 ? html` class="on"` : ""}><th scope="row">${lane}</th>${values.map((column) => html`<td>${column[lane]}</td>`)}</tr>\n`;
  });
  const data = JSON.stringify({ steps, changes });
  return html`<figure class="demo" id="demo" data-at="${position}">
<div class="demo-both">
<pre class="demo-code" tabindex="0" role="group" aria-label="A program that runs"><code>${lines}</code></pre>
<table class="demo-lanes"><caption>Lanes</caption><thead><tr><th scope="col">lane</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table>
</div>
<div class="demo-time">${strip(recording, position)}
<input type="range" min="0" max="${steps.length}" value="${position}" step="1" aria-label="Position: executed instructions" hidden></div>
<figcaption><button type="button" data-do="play" hidden>Play</button><button type="button" data-do="back" hidden>Step back</button><button type="button" data-do="step" hidden>Step</button> <span class="demo-at">${steps.length} instructions, recorded by ptxrun itself</span></figcaption>
<script type="application/json">${raw(data)}</script>
</figure>`;
}

/** Time from left to right and a lane in each row, in the colour of the line that it executes. */
function strip({ lanes, steps }: Recording, position: number): Html {
  const paths = new Map<number, string>();
  for (const [at, [line, active]] of steps.entries())
    for (let lane = 0; lane < lanes; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      let to = lane + 1;
      while ((active >>> to) & 1 && to < lanes) to++;
      paths.set(line, `${paths.get(line) ?? ""}M${at} ${lane}h1v${to - lane}h-1z`);
      lane = to;
    }
  const drawn = [...paths].map(
    ([line, path]) => html`<path fill="hsl(${hues[line % hues.length]} 50% 50%)" d="${path}"/>`,
  );
  return html`<svg viewBox="0 0 ${steps.length} ${lanes}" preserveAspectRatio="none" aria-hidden="true">${drawn}<rect class="demo-later" x="${position}" y="0" width="${steps.length - position}" height="${lanes}"/></svg>`;
}
