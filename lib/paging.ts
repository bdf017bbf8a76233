/** One page of a list: its rows, the last of them (of which the cursor is made), and whether more follow. */
type Page<Row> = { rows: Row[]; last: Row | undefined; hasMore: boolean }

/**
 * Cuts a page from rows that were read with `limit + 1`.
 * @returns the page's rows, the last of them, and whether there are more
 */
export function pageOf<Row>(read: Row[], limit: number): Page<Row> {
  const rows = read.slice(0, limit)
  return { rows, last: rows.at(-1), hasMore: read.length > rows.length }
}
