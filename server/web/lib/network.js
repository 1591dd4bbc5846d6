// A network that is away is no fault of the page.

/** The server does not answer. */
export class NoNetwork extends Error {
  constructor() {
    super("The server does not answer."); // each browser has words of its own
  }
}

/** A module of the page. Throws NoNetwork if it, or one that it imports, could not be fetched, and
 * what the module itself throws.
 * @template T
 * @param {() => Promise<T>} load an `import()`
 * @returns {Promise<T>} */
export async function imported(load) {
  try {
    return await load();
  } catch (fault) {
    if (!(fault instanceof TypeError)) throw fault;
    // a browser fetches again what it could not fetch, but evaluates a module once
    return load().catch((again) => {
      throw again === fault ? fault : new NoNetwork();
    });
  }
}
