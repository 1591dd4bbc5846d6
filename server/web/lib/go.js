// Navigation without a reload. The router (app.js) listens to `popstate` and shows the page of the
// new address.

/** A page fills `main`; the function that it may return ends it. `given` are the parts of the
 * address in its pattern's groups.
 * @typedef {(main: HTMLElement, given: string[]) => (void|(() => void)|Promise<void|(() =>
 *   void)>)} Page */

/** Go to an address of this server.
 * @param {string} address */
export function go(address) {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
  document.getElementById("page")?.focus({ preventScroll: true });
}
