import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Computes the SHA-256 of a text's UTF-8 in SQL, in hexadecimal, like sha256Hex in lib/keys/bytes.ts. */
export const sha256HexOf = (text: SQLWrapper): SQL<string> =>
  sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
