/* The limits of the catalog. */

/** The most routes: so many by rank, and the newest of the others. */
export const MAX_RANKED = 900
export const MAX_NEWEST = 100

/** The most routes of one owner. */
export const MAX_OF_OWNER = 10

/** The most bytes of the value in KV. */
export const MAX_BYTES = 4_000_000
