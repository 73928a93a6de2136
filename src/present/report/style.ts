/** The page's style: one column on a phone, the two texts beside each other where there is room, dark where the reader asks for it. */
export const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2024;--dim:#667;--edge:#d9dce1;--soft:#f4f5f7;--hot:#e5484d;--hue:45%;--accent:#3366cc;
--good:#2b8a5a;--warn:#b7791f;--bad:#d1343b}
@media (prefers-color-scheme:dark){:root{--bg:#121417;--fg:#e6e8ea;--dim:#9aa1ab;--edge:#2d3239;--soft:#1a1d21;--hot:#f2555a;--hue:60%;
--accent:#7aa2f7;--good:#4cc38a;--warn:#e0a83e;--bad:#f2555a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1500px;padding:16px;background:var(--bg);color:var(--fg);font:15px/1.45 system-ui,sans-serif}
h1{font-size:22px;margin:0;overflow-wrap:anywhere}h2{font-size:17px;margin:28px 0 8px}h3{font-size:14px;margin:0 0 6px;overflow-wrap:anywhere}
code,.code,.read{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12.5px}
.q{color:var(--dim);font-size:13px;margin:4px 0 10px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:10px;margin:16px 0}
.cards div{background:var(--soft);border:1px solid var(--edge);border-radius:8px;padding:10px 12px}
dt{color:var(--dim);font-size:12px}dd{margin:0;font-size:12px;color:var(--dim)}dt+dd{font-size:22px;color:var(--fg);font-variant-numeric:tabular-nums}
.panes{display:grid;gap:16px;grid-template-columns:minmax(0,1fr)}
@media (min-width:900px){.panes.two{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
.code{border:1px solid var(--edge);border-radius:8px;max-height:70vh;overflow:auto;padding:4px 0;position:relative}
.l{display:grid;grid-template-columns:5ch 6.5ch minmax(0,1fr);gap:0 8px;padding:1px 8px 1px 0;border-left:4px solid transparent}
.l b{color:var(--dim);font-weight:400;text-align:right}
.l i{font-style:normal;text-align:right;font-variant-numeric:tabular-nums;border-radius:3px;padding:0 3px}
.l code{white-space:pre-wrap;overflow-wrap:anywhere;color:var(--dim)}
.x{border-left-color:color-mix(in srgb,var(--hot) calc(var(--h)*100%),var(--edge));cursor:pointer}
.x code{color:var(--fg)}
.x i{background:color-mix(in srgb,var(--hot) calc(var(--h)*70%),transparent)}
.same{background:color-mix(in srgb,var(--accent) 18%,transparent)}
.on{background:color-mix(in srgb,var(--accent) 32%,transparent)}
s{text-decoration:none;white-space:nowrap;font:11px/1.3 system-ui,sans-serif;border:1px solid;border-radius:9px;padding:0 6px;margin-left:4px}
s.good{color:var(--good)}s.warn{color:var(--warn)}s.bad{color:var(--bad)}s.sync{color:var(--accent)}
.f{color:var(--dim);font-size:12px;padding:1px 12px}details.f{padding:0}.f>summary{padding:1px 12px;cursor:pointer}
.read{min-height:2.9em;margin:6px 0 0;color:var(--dim);overflow-wrap:anywhere}
.w{border:1px solid var(--edge);border-radius:8px;padding:6px 10px;margin:8px 0}.w summary{cursor:pointer}
.wide{overflow-x:auto;margin-top:6px}canvas{display:block;background:var(--soft);border-radius:4px;cursor:crosshair}
.k{display:inline-block;width:10px;height:10px;border-radius:2px}.k.good{background:var(--good)}.k.warn{background:var(--warn)}.k.bad{background:var(--bad)}
.a{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:2px 12px;padding:7px 0;border-top:1px solid var(--edge)}
.a code{white-space:pre-wrap;overflow-wrap:anywhere}.a .q{margin:0}
.m{grid-column:1/-1;border-radius:4px;padding:1px 8px;font-size:12px;background:linear-gradient(90deg,color-mix(in srgb,var(--c) 38%,var(--soft)) calc(var(--h)*100%),var(--soft) 0)}
.m.good{--c:var(--good)}.m.warn{--c:var(--warn)}.m.bad{--c:var(--bad)}
.bar{display:flex;justify-content:space-between;gap:12px;padding:2px 8px;margin:3px 0;border-radius:4px;font-size:13px;font-variant-numeric:tabular-nums;
background:linear-gradient(90deg,color-mix(in srgb,var(--accent) 32%,var(--soft)) calc(var(--h)*100%),var(--soft) 0)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
footer{margin:32px 0 8px;color:var(--dim);font-size:12px}
`;
