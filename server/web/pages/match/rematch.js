// The same match again, for a person who has played.

import { api, lookToken, reasonOf, remember } from "../../lib/api.js";
import { el } from "../../lib/dom.js";
import { go } from "../../lib/go.js";

/** A button that opens the same lobby again: same game, map and parameters, another seed. House
 * bots take their seats, and the match begins; with other people it waits for them in the lobby.
 * @param {string} match @param {number} seat the person's own */
export function rematchButton(match, seat) {
  const fault = el("span", { class: "fault", role: "alert" });
  const button = el(
    "button",
    {
      type: "button",
      class: "main",
      "data-keep": "rematch",
      onclick: async () => {
        button.disabled = true;
        fault.textContent = "";
        try {
          go(await rematch(match, seat));
        } catch (error) {
          fault.textContent = reasonOf(error);
          button.disabled = false;
        }
      },
    },
    "Rematch",
  );
  return el("span", { class: "row" }, button, fault);
}

/** The address of the new match, or of its lobby. Throws Refusal.
 * @param {string} match @param {number} seat */
async function rematch(match, seat) {
  const before = await api(`/matches/${encodeURIComponent(match)}`, { token: lookToken(match) });
  const { game, config, map, faults, players } = before;
  const made = await api("/lobbies", { body: { game, config, map, faults } });
  const { lobby, owner_token: owner } = made;
  const path = `/lobbies/${encodeURIComponent(lobby)}`;
  const body = { name: players[seat].name, kind: "human", seat };
  const taken = await api(`${path}/join`, { body });
  remember(lobby, { owner, seats: { [seat]: taken.token } });
  for (const player of players) {
    if (player.bot !== null)
      await api(`${path}/bots`, { body: { bot: player.bot, seat: player.seat }, token: owner });
  }
  const alone = players.every(
    (/** @type {any} */ player) => player.seat === seat || player.bot !== null,
  );
  return alone
    ? `/match/${encodeURIComponent(lobby)}?seat=${seat}`
    : path.replace("lobbies", "lobby");
}
