/** Time between two requests of a view while something is in progress and the page is in use. */
export const ASKS_EVERY_MS = 2_000

/** Time after something is due until a view asks whether it was done. */
export const ASKS_DUE_AFTER_MS = 60_000

/** How long after the last input a page counts as in use. */
export const ASKS_FOR_MS = 5 * 60_000
