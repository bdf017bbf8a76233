import type { SqlDatabase } from '../../lib/local/neon/protocol.ts'

/** Makes rows due but those that somebody has locked. */
const due = (table: string, key: string, set: string, where: string) =>
  `update ${table} set ${set} where ${key} in (select ${key} from ${table} where ${where} for update skip locked)`

const STATEMENTS = [
  due('vault_intents', 'id', "due_at = 'epoch'", "status = 'open' and due_at is not null"),
  // What a search has put off waits for its time.
  due('payment_intents', 'id', 'due_at = asked_at', "status = 'open' and due_at is not null"),
  due('hires', 'id', "seek_at = 'epoch'", 'seek_at is not null'),
  due('positions', 'address', "seen_at = 'epoch'", "status = 'open'"),
]

/** Makes all that waits for the settlement rounds due: for tests of what a round does, not of when. */
export const makeDue = (engine: Pick<SqlDatabase, 'run'>) =>
  engine.run(STATEMENTS.map((query) => ({ query, params: [] })))
