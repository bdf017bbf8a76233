import {
  ISOLATION_LEVELS,
  type Statement,
  type StatementResult,
  type TransactionOptions,
} from './protocol.ts'

/**
 * Runs statements over one session as {@link SqlEngine.run} promises. On an error the session may be left
 * inside the failed transaction: only the engine knows whether it can still run a ROLLBACK.
 */
export async function runStatements(
  execute: (statement: Statement) => Promise<StatementResult>,
  statements: Statement[],
  transaction: TransactionOptions | undefined,
): Promise<StatementResult[]> {
  const [only] = statements
  if (!transaction && only && statements.length === 1) return [await execute(only)]

  const results: StatementResult[] = []
  await execute({ query: begin(transaction ?? {}), params: [] })
  for (const statement of statements) results.push(await execute(statement))
  await execute({ query: 'COMMIT', params: [] })
  return results
}

function begin({ isolationLevel, readOnly, deferrable }: TransactionOptions): string {
  const modes = [
    isolationLevel && `ISOLATION LEVEL ${ISOLATION_LEVELS[isolationLevel]}`,
    readOnly !== undefined && (readOnly ? 'READ ONLY' : 'READ WRITE'),
    deferrable !== undefined && (deferrable ? 'DEFERRABLE' : 'NOT DEFERRABLE'),
  ]
  return `BEGIN ${modes.filter(Boolean).join(', ')}`.trim()
}
