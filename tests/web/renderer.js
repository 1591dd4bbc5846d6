// Held against a renderer in the page, by tests/web/test_renderers.py: it draws views, compares pictures, asks for words and commands.
// The page's own theme, canvas and modules; no test is in here.

const box = { width: 640, height: 640 };

const deep = (value) => {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(deep);
  return value;
};

export async function held(game) {
  const renderer = (await import(`/web/games/${game}.js`)).default;
  const selection = await import("/web/games/lib/selection.js");
  const colours = (await import("/web/lib/theme.js")).theme();
  const canvas = document.createElement("canvas");
  const ctx = canvas.getContext("2d", { willReadFrequently: true });

  function sceneOf({ before = null, view, fraction = 1, config = {}, seats, trail = [], viewer = null, hover = null, overlays = [] }) {
    return deep({
      before, view, fraction, config, trail, viewer, hover, overlays, once: {}, theme: colours,
      seats: seats.map((seat, number) => ({ ...seat, colour: colours.seats[number % 4] })),
    });
  }

  function drawn(scene, { width, height } = box, scale = 1) {
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    renderer.draw(ctx, scene, { width, height });
    return ctx.getImageData(0, 0, canvas.width, canvas.height).data;
  }

  /** A number for a picture: equal pictures have equal ones. */
  function print(data) {
    let hash = 2166136261;
    for (const word of new Uint32Array(data.buffer)) hash = Math.imul(hash ^ word, 16777619);
    return hash >>> 0;
  }

  function colourful(data) {
    return new Set(new Uint32Array(data.buffer)).size;
  }

  /** A point of the box for each cell of the board, kitchens apart. */
  function points(view) {
    const found = new Map();
    for (let y = 1; renderer.at && y < box.height; y += 3) {
      for (let x = 1; x < box.width; x += 3) {
        const cell = renderer.at(x, y, view, box);
        if (cell) found.set(JSON.stringify(cell), [x, y]);
      }
    }
    return found;
  }

  function grid() {
    const some = [];
    for (let y = 10; y < box.height; y += 20) for (let x = 10; x < box.width; x += 20) some.push([x, y]);
    return some;
  }

  /** All that a person at this seat can ask for in this view, with each piece selected. */
  function asked(view, seat) {
    const pieces = view.units?.filter((unit) => unit.owner === seat).map((unit) => unit.id)
      ?? view.bots?.filter((bot) => bot.team === view.team).map((bot) => bot.bot_id) ?? [null];
    const places = renderer.at ? [...points(view).values()] : grid();
    const [sure, tried] = [new Map(), new Map()];
    const note = (into, command) => command !== null && into.set(JSON.stringify(command), command);
    for (const piece of pieces) {
      selection.select(game, piece);
      const { buttons, keys } = renderer.human(view, seat);
      buttons.filter((button) => button.enabled).forEach((button) => note(sure, button.command));
      Object.values(keys).forEach((command) => note(tried, command));
      for (const [x, y] of places) {
        selection.select(game, piece);
        note(sure, renderer.human(view, seat).click(x, y, view, box));
      }
    }
    selection.select(game, null);
    return { sure: [...sure.values()], tried: [...tried.values()] };
  }

  return { renderer, sceneOf, drawn, print, colourful, points, asked };
}
