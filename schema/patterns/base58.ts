// Written as text.ts says.

/** Base58 of 32 bytes has so many characters; not every text of them is of 32 bytes. */
export const BASE58_OF_32_BYTES = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** The same of 64 bytes. */
export const BASE58_OF_64_BYTES = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
