// What a bot draws over the board: the list `draw` of its `info` (PROTOCOL.md §2). A bot may send
// any JSON, so each part is checked.

/** @typedef {import("../games/contract.js").Overlay} Overlay */
/** @typedef {import("../lib/replay.js").PlatformEvent} PlatformEvent */

const MAX_PARTS = 400;
const MAX_TEXT = 60;
const COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Whether an event carries drawings.
 * @param {PlatformEvent} event */
export const hasDrawing = ({ event, data }) => event === "info" && Array.isArray(data?.draw);

/** The valid drawings of an event; invalid ones are left out.
 * @param {PlatformEvent} event @returns {Overlay[]} */
export function overlaysOf(event) {
  if (!hasDrawing(event)) return [];
  const isPlace = (/** @type {any} */ value) =>
    Number.isFinite(value?.x) && Number.isFinite(value?.y);
  /** @type {Overlay[]} */
  const overlays = [];
  for (const part of event.data.draw.slice(0, MAX_PARTS)) {
    const style = {
      ...(event.seat === null ? {} : { seat: event.seat }),
      ...(COLOUR.test(part?.colour) ? { colour: part.colour } : {}),
    };
    if (part?.kind === "cell" && isPlace(part))
      overlays.push({ kind: "cell", x: part.x, y: part.y, ...style });
    else if (part?.kind === "arrow" && isPlace(part.from) && isPlace(part.to)) {
      overlays.push({
        kind: "arrow",
        from: { x: part.from.x, y: part.from.y },
        to: { x: part.to.x, y: part.to.y },
        ...style,
      });
    } else if (part?.kind === "text" && isPlace(part)) {
      overlays.push({
        kind: "text",
        x: part.x,
        y: part.y,
        text: String(part.text ?? "").slice(0, MAX_TEXT),
        ...style,
      });
    }
  }
  return overlays;
}
