import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The SHA-256 of a text's UTF-8 in a statement, in hexadecimal, as lib/keys/bytes.ts has it. */
export const sha256HexOf = (text: SQLWrapper): SQL<string> =>
  sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
