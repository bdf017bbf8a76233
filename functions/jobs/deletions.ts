/** As many rows as one statement deletes. */
const MAX_PER_STATEMENT = 10_000
/** After so long what is left is the next run's. */
const BUDGET_MS = 20_000

/**
 * Deletes until nothing is left to delete, or the time is up: faster than anybody can make rows.
 * @param elapsed a stopwatch, in milliseconds
 */
export async function deleteAll(
  elapsed: () => number,
  deleteSome: (limit: number) => Promise<number>,
): Promise<{ deleted: number }> {
  const startedAt = elapsed()
  let deleted = 0
  for (;;) {
    const some = await deleteSome(MAX_PER_STATEMENT)
    deleted += some
    if (some < MAX_PER_STATEMENT || elapsed() - startedAt >= BUDGET_MS) return { deleted }
  }
}
