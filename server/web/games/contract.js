// The contract of a game's renderer. One module per game, `games/<game>.js`, exports one as
// default:
//   /** @type {import("./contract.js").Renderer} */
//   export default { shape, draw, scores, events, describe, ... };
// A game without a renderer is shown as readable text.
//
// A click may select a piece and send nothing (null), so the page calls `human` again and draws
// again after every click. `hover` is what `at` returned, with more fields if the game wants them.
// `shape` may change when the window is turned, so the page calls it again on every resize.

/** A seat as in the start message or the header of a replay; `colour` is the theme's, the same on
 * every page.
 * @typedef {{seat: number, role: string, name: string, kind: string, colour: string}} SeatInfo */

/** Colours as CSS text. `seats` has one per seat and repeats; `ink` is text on `ground`, `soft` is
 * less important text, `line` a hairline, `panel` the background of boxes, `accent` an emphasis.
 * @typedef {{dark: boolean, ground: string, panel: string, ink: string, soft: string, line: string,
 *   accent: string, good: string, bad: string, seats: string[], font: string}} Theme */

/** What a bot draws over the board: cells, arrows, text. Positions are board cells as in the game's
 * view.
 * @typedef {{kind: "cell", x: number, y: number, colour?: string, seat?: number}} CellOverlay
 * @typedef {{kind: "arrow", from: {x: number, y: number}, to: {x: number, y: number},
 *   colour?: string, seat?: number}} ArrowOverlay
 * @typedef {{kind: "text", x: number, y: number, text: string, colour?: string,
 *   seat?: number}} TextOverlay
 * @typedef {CellOverlay|ArrowOverlay|TextOverlay} Overlay */

/** What to draw. `before` is the previous view (null at the first view and after a jump),
 * `fraction` the progress from it to `view`, 0 to 1; at 1 exactly `view` is drawn. Fields that only
 * the start message has are already merged into `view`; `once` has them alone. `viewer` is the seat
 * whose view it is, null for a spectator. `trail` has the views before this one, oldest first, at
 * most 40.
 * @typedef {{before: any, view: any, fraction: number, seats: SeatInfo[], config: any, once: any,
 *   overlays: Overlay[], theme: Theme, viewer: number|null, trail: any[],
 *   hover?: {x: number, y: number}|null}} Scene */

/** A seat's line on the scoreboard. `points` decide who leads, `text` is shown; `plot` is for the
 * chart where that is not `points`, and decides between equal points.
 * @typedef {{seat: number, points: number, plot?: number, text: string,
 *   facts: [string, string][]}} Score */

/** What was before a view: `trail` as in a scene.
 * @typedef {{trail: any[], config: any}} Past */

/** How far a match that goes on is: what is shown of it, what is left, and the share that is over,
 * 0 to 1.
 * @typedef {{text: string, left: string, share: number}} Progress */

/** Something that just happened, for the event list. `kind` is one word: good, bad, move, info, ...
 * With `at`, a place as `middle` takes it, it is also called out on the board: `mark` in a few
 * characters; `from` is where it came from. One without text is called out only.
 * @typedef {{seat: number|null, text: string, kind: string, at?: any, from?: any,
 *   mark?: string}} GameEvent */

/** How a person plays. `keys` maps a KeyboardEvent.key to its command, `buttons` are shown below
 * the board, `click` returns the command of a click at (x, y) of the box that `draw` got (CSS
 * pixels), or null. With `endTurn` there is a button that ends the turn. `moves` are the cells
 * where a step is possible, marked on the board. A key or a click whose button is disabled sends
 * nothing.
 * @typedef {{keys: Record<string, any>, buttons: {label: string, command: any, enabled: boolean}[],
 *   click: (x: number, y: number, view: any, box: {width: number, height: number}) => any,
 *   endTurn: boolean, hint: string, moves?: CellOverlay[]}} Controls */

/** A game's renderer. `draw` draws the whole board into a box of CSS pixels with the aspect of
 * `shape`; the caller has cleared it and set the device pixel ratio. It keeps no state between
 * calls except caches keyed by the identity of a view.
 * @typedef {Object} Renderer
 * @property {(config: any) => number} paceMs   how long a turn is shown to people at speed 1, ms;
 *   a clock that ticks goes before it
 * @property {(view: any, config: any) => {width: number, height: number}} shape
 *   aspect in board cells, fixed for a match
 * @property {(ctx: CanvasRenderingContext2D, scene: Scene,
 *   box: {width: number, height: number}) => void} draw
 * @property {(view: any, seats: SeatInfo[], past?: Past) => Score[]} scores
 * @property {[string, string][]} [legend]   what things on the board do: name and sentence
 * @property {string} [plotted]   what the chart shows, if not the score
 * @property {(view: any, config: any) => Progress} [progress]
 * @property {(at: any, view: any, box: {width: number, height: number}) =>
 *   {x: number, y: number, cell: number}} [middle]
 *   the middle of a place and the size of a cell, in pixels of the box
 * @property {(before: any, view: any, seats: SeatInfo[]) => GameEvent[]} events
 * @property {(x: number, y: number, view: any, box: {width: number, height: number}) =>
 *   {x: number, y: number}|null} [at] the board's cell under a point of the box
 * @property {(view: any, seat: number, config: any) => Controls} [human]
 * @property {(view: any, seat: number|null) => string} describe   one sentence for a screen reader
 */

export {};
