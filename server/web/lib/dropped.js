/** The files that were dropped on the page and have not been opened yet: a record, and logs of the
 * bot.
 * @type {File[]} */
export const dropped = [];
