import type { SqlDatabase } from '../../lib/migrations/protocol.ts'

/** Returns a statement that makes rows due, except locked ones. */
const due = (table: string, key: string, set: string, where: string) =>
  `update ${table} set ${set} where ${key} in (select ${key} from ${table} where ${where} for update skip locked)`

const STATEMENTS = [
  due('vault_intents', 'id', "due_at = 'epoch'", "status = 'open' and due_at is not null"),
  // A row that a search has delayed waits for its time.
  due('payment_intents', 'id', 'due_at = asked_at', "status = 'open' and due_at is not null"),
  due('hires', 'id', "seek_at = 'epoch'", 'seek_at is not null'),
  due('positions', 'address', "seen_at = 'epoch'", "status = 'open'"),
]

/** Makes all work of the settlement job due: for tests of its effect, not of its time. */
export const makeDue = (engine: Pick<SqlDatabase, 'run'>) =>
  engine.run(STATEMENTS.map((query) => ({ query, params: [] })))
