// What the page asks of a game's renderer. One module per game, `games/<game>.js`, exports it as default:
//   /** @type {import("./contract.js").Renderer} */ export default {shape, draw, scores, events, describe, ...};
// A game without such a module is shown as readable text. What the page does with a renderer:
//   A click may take something up before it sends anything (null): ask `human` for the controls again after every click, and draw again.
//   `hover` is what `at` answered. `shape` may be another one when the window is turned: ask again on resize.

/** A seat as the start message or the header of a replay names it; `colour` is the theme's, the same on every page.
 * @typedef {{seat: number, role: string, name: string, kind: string, colour: string}} SeatInfo */

/** Colours as CSS text. `seats` has one per seat and repeats; `ink` is text on `ground`, `soft` is text of less weight,
 * `line` a hairline, `panel` a raised ground, `accent` what is to be noticed, `good` and `bad` are what they say.
 * @typedef {{dark: boolean, ground: string, panel: string, ink: string, soft: string, line: string, accent: string,
 *   good: string, bad: string, seats: string[], font: string}} Theme */

/** What a bot draws over the board: cells, arrows, text. Places are board cells as the game's view counts them.
 * @typedef {{kind: "cell", x: number, y: number, colour?: string, seat?: number}
 *   | {kind: "arrow", from: {x: number, y: number}, to: {x: number, y: number}, colour?: string, seat?: number}
 *   | {kind: "text", x: number, y: number, text: string, colour?: string, seat?: number}} Overlay */

/** What is to be drawn now. `before` is the view that was shown before (null at the first one and after a jump) and `fraction` says
 * how far we are on the way from it to `view`, 0 to 1; at 1 exactly the view is drawn. Fields that only the start message carries
 * are merged into `view` already and `once` repeats them. `viewer` is the seat whose view it is, null for a spectator.
 * `trail` are the views before this one, oldest first, at most 40.
 * @typedef {{before: any, view: any, fraction: number, seats: SeatInfo[], config: any, once: any, overlays: Overlay[],
 *   theme: Theme, viewer: number|null, trail: any[], hover?: {x: number, y: number}|null}} Scene */

/** A seat's line on the scoreboard. `points` feeds the plot, `text` is what is shown large.
 * @typedef {{seat: number, points: number, text: string, facts: [string, string][]}} Score */

/** Something that just happened, for the event list. `kind` is one word: good, bad, move, info, ...
 * @typedef {{seat: number|null, text: string, kind: string}} GameEvent */

/** How a person plays. `keys` maps a KeyboardEvent.key to the command it sends, `buttons` are drawn under the board, `click` answers a
 * click at (x, y) of the box that `draw` got (CSS pixels) with a command, null for nothing yet. With `endTurn` a button ends the turn.
 * @typedef {{keys: Record<string, any>, buttons: {label: string, command: any, enabled: boolean}[],
 *   click: (x: number, y: number, view: any, box: {width: number, height: number}) => any,
 *   endTurn: boolean, hint: string}} Controls */

/** A game's renderer. `draw` draws the whole board into a box of CSS pixels whose aspect is `shape`'s; the caller has cleared it and set the
 * device pixel ratio. It keeps no state between calls except caches keyed by the identity of a view.
 * @typedef {Object} Renderer
 * @property {(view: any, config: any) => {width: number, height: number}} shape   aspect in board cells, fixed for a match
 * @property {(ctx: CanvasRenderingContext2D, scene: Scene, box: {width: number, height: number}) => void} draw
 * @property {(view: any, seats: SeatInfo[]) => Score[]} scores
 * @property {(before: any, view: any, seats: SeatInfo[]) => GameEvent[]} events
 * @property {(x: number, y: number, view: any, box: {width: number, height: number}) => {x: number, y: number}|null} [at]
 *   the board's cell under a point of the box
 * @property {(view: any, seat: number) => Controls} [human]
 * @property {(view: any, seat: number|null) => string} describe   one sentence for a screen reader
 */

export {};
