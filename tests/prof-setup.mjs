import { Session } from "node:inspector";
import { writeFileSync } from "node:fs";
import { afterAll } from "vitest";
const s = new Session(); s.connect();
s.post("Profiler.enable"); s.post("Profiler.setSamplingInterval",{interval:1000}); s.post("Profiler.start");
const c0=process.cpuUsage();
afterAll(async () => { await new Promise(d=>s.post("Profiler.stop",(e,{profile})=>{writeFileSync(`/tmp/prof/${process.pid}-${Math.random()}.cpuprofile`,JSON.stringify(profile));d()})); s.disconnect(); });
