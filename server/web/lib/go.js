// Navigation without a reload. The router (app.js) listens to `popstate` and shows the page of the
// new address.

/** A page fills `main`; the function that it may return ends it. `given` are the groups of the
 * address's pattern.
 * @typedef {void|(() => void)} End
 * @typedef {(main: HTMLElement, given: string[]) => (End|Promise<End>)} Page */

/** Go to an address of this server.
 * @param {string} address */
export function go(address) {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
  document.getElementById("page")?.focus({ preventScroll: true });
}
