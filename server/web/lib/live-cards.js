// Cards of running matches: each has a small picture of the board, the scores and how far it is.
// Only cards on the screen watch their matches, and not more than a few.

import { pictureOf, titleOf, versus } from "./cards.js";
import { el, fill } from "./dom.js";
import { imported } from "./network.js";
import { persistent } from "./persistent.js";
import { renderer } from "./renderers.js";
import { seatColour, theme } from "./theme.js";
import { namedTurn } from "./turns.js";

const DRAW_MS = 500;
const MOST_WATCHED = 12;
const SIZE = { width: 480, height: 270 };

/** @typedef {ReturnType<typeof liveCard>} LiveCard */

/** The running matches as a list that is kept up to date. */
export function liveCards() {
  const element = el("ul", { class: "cards" });
  /** By match.
   * @type {Map<string, LiveCard>} */
  const cards = new Map();
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const card = [...cards.values()].find((one) => one.element === target);
      if (!card) continue;
      const watched = [...cards.values()].filter((one) => one.watches).length;
      if (isIntersecting && watched < MOST_WATCHED) card.watch();
      else if (!isIntersecting) card.rest();
    }
  });
  const timer = setInterval(() => {
    if (!document.hidden) for (const card of cards.values()) card.draw();
  }, DRAW_MS);
  return {
    element,
    /** @param {any[]} matches that are running */
    update(matches) {
      const now = new Set(matches.map((match) => match.match));
      for (const [match, card] of cards) {
        if (now.has(match)) continue;
        card.rest();
        card.element.remove();
        seen.unobserve(card.element);
        cards.delete(match);
      }
      for (const match of matches) {
        const known = cards.get(match.match);
        if (known) known.update(match);
        else {
          const card = liveCard(match);
          cards.set(match.match, card);
          element.append(card.element);
          seen.observe(card.element);
        }
      }
    },
    stop() {
      clearInterval(timer);
      seen.disconnect();
      for (const card of cards.values()) card.rest();
    },
  };
}

/** @param {any} match */
function liveCard(match) {
  const picture = el("div", { class: "picture" }, pictureOf(match.game));
  const canvas = el("canvas", { "aria-hidden": "true", ...SIZE });
  const pill = el("span", { class: "pill", "data-kind": "live" });
  const players = el("div");
  const rest = el("p", { class: "quiet" });
  const element = el(
    "li",
    {},
    el(
      "a",
      { class: "card live-card", href: `/match/${encodeURIComponent(match.match)}` },
      picture,
      el(
        "div",
        { class: "body" },
        el("div", { class: "head" }, el("h3", {}, match.name ?? titleOf(match.game)), pill),
        players,
        rest,
        match.name === null ? null : el("p", { class: "quiet" }, titleOf(match.game)),
      ),
    ),
  );
  /** @type {import("../sources/glance.js").Glance|null} */
  let source = null;
  /** null while it is not loaded, and for a game without one.
   * @type {import("../games/contract.js").Renderer|null} */
  let shape = null;
  let wanted = false;
  let drawn = -1;
  let shown = "";

  /** @param {string} stands how far it is @param {string} left of it, in words
   * @param {string[]} scores by seat */
  function write(stands, left = "", scores = []) {
    const now = JSON.stringify([stands, left, scores]);
    if (now === shown) return;
    shown = now;
    pill.textContent = stands;
    rest.textContent = left;
    fill(players, versus(match.players, scores));
  }
  const turn = () => namedTurn(match.game, match.turn);

  write(turn());
  return {
    element,
    get watches() {
      return wanted;
    },
    /** @param {any} newer */
    update(newer) {
      match = newer;
      if (drawn < 0) write(turn());
    },
    async watch() {
      if (wanted) return;
      wanted = true;
      // only where a match is watched
      const load = () =>
        Promise.all([imported(() => import("../sources/glance.js")), renderer(match.game)]);
      const loaded = await persistent(load, () => wanted);
      if (loaded === null || source !== null) return;
      shape = loaded[1];
      source = new loaded[0].Glance(match.match);
      source.open();
    },
    rest() {
      wanted = false;
      source?.close();
      source = null;
    },
    /** The newest view, if there is one. */
    draw() {
      if (source === null || shape === null) return;
      if (source.end === source.first || source.end === drawn) return;
      const { end, config } = source;
      drawn = end;
      const view = source.viewAt(end - 1);
      const seats = source.seats.map((seat) => ({ ...seat, colour: seatColour(seat.seat) }));
      const stands = shape.progress?.(view, config);
      write(
        stands?.text ?? namedTurn(match.game, source.turnAt(end - 1)),
        stands?.left,
        shape.scores(view, seats).map((score) => score.text),
      );
      if (!canvas.isConnected) fill(picture, canvas);
      paint(canvas, shape, {
        before: null,
        view,
        fraction: 1,
        seats,
        config,
        once: source.once,
        overlays: [],
        theme: theme(),
        viewer: null,
        trail: [],
      });
    },
  };
}

/** The board in the middle of the canvas.
 * @param {HTMLCanvasElement} canvas @param {import("../games/contract.js").Renderer} game
 * @param {import("../games/contract.js").Scene} scene */
function paint(canvas, game, scene) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const shape = game.shape(scene.view, scene.config);
  const scale = Math.min(SIZE.width / shape.width, SIZE.height / shape.height);
  const box = { width: shape.width * scale, height: shape.height * scale };
  canvas.width = Math.round(box.width * ratio);
  canvas.height = Math.round(box.height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  game.draw(context, scene, box);
}
