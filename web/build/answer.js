import { extname, posix } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** What a server of static files says of a path; `read` throws where there is no file. */
export function answer(url, read) {
  let path;
  try {
    path = posix.normalize(decodeURIComponent(url.split("?")[0])).replace(/^\/+/, "");
  } catch {
    path = "..";
  }
  if (path === "" || path.endsWith("/")) path += "index.html";
  try {
    if (path.startsWith("..")) throw new Error("outside");
    const type = types[extname(path)] ?? "text/plain; charset=utf-8";
    return { status: 200, headers: { "content-type": type, "cache-control": "no-cache" }, body: read(path) };
  } catch {
    return { status: 404, headers: { "content-type": "text/plain" }, body: "there is no such file" };
  }
}
