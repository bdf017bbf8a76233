/** One page of a list: at most `limit` of the rows, of which one more was read than fits, and what comes after it. */
export type Page<Row> = { rows: Row[]; last: Row | undefined; hasMore: boolean }

/**
 * Cuts a page from rows that were read with `limit + 1`.
 * @returns the page's rows, the last of them, and whether there are more
 */
export function pageOf<Row>(read: Row[], limit: number): Page<Row> {
  const rows = read.slice(0, limit)
  return { rows, last: rows.at(-1), hasMore: read.length > rows.length }
}
