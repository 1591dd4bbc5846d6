import { BadUsage } from "./errors.js";

export const LOCAL = "http://127.0.0.1:8000";

const ENDS = ["/ws/play", "/ws/watch", "/api/v1"];

/** The websocket endpoint of the server that `url` names. Throws BadUsage. */
export function socketUrl(url: string, end: "play" | "watch" = "play"): string {
  return `${httpUrl(url).replace(/^http/, "ws")}/ws/${end}`;
}

/** The root of a server, without a slash at the end: `http://host:port`, `ws://host:port/ws/play`
 * and `host:port` name the same. Throws BadUsage. */
export function httpUrl(url: string): string {
  let parsed: URL | null;
  try {
    parsed = new URL(url.includes("://") ? url : `http://${url}`);
  } catch {
    parsed = null;
  }
  if (
    !parsed?.hostname ||
    !/^(https?|wss?):$/.test(parsed.protocol) ||
    parsed.username ||
    parsed.password
  )
    throw new BadUsage(`expected an address such as ${LOCAL} or ws://host/ws/play, got '${url}'`);
  let path = parsed.pathname.replace(/\/+$/, "");
  for (const end of ENDS) if (path.endsWith(end)) path = path.slice(0, -end.length);
  return `${parsed.protocol.replace(/^ws/, "http")}//${parsed.host}${path}`;
}
