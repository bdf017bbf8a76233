/** How often a view asks again as long as something is on its way, and the page is looked at. */
export const ASKS_EVERY_MS = 2_000

/** How long after something is due a view asks whether it was done. */
export const ASKS_DUE_AFTER_MS = 60_000

/** How long after the last input a page is taken to be looked at. */
export const ASKS_FOR_MS = 5 * 60_000
