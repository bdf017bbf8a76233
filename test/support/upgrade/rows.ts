import type pg from 'pg'
import type { SqlDatabase, SqlEngine } from '../../../lib/migrations/protocol.ts'

/** A row of a recorded database: its table, and its values as Postgres' jsonb writes them, unparsed. */
export type Row = readonly [table: string, json: string]

/**
 * Makes the statement that reads all rows of a database, up to some. Transactions' ids are of the server that
 * gave them: the log's keep their order alone.
 */
export async function readingOfAll(engine: SqlEngine, most: number): Promise<string> {
  const [found] = await engine.run([{ query: TABLES, params: [] }])
  const parts = (found?.rows ?? []).map(([table]) => {
    const row = table === 'events' ? `jsonb_set(to_jsonb(t), '{xid}', ${XID_RANK})` : 'to_jsonb(t)'
    return `select '${table}', (${row})::text from (select * from "${table}" limit ${most}) as t`
  })
  return `${parts.join(' union all ')} limit ${most}`
}

const TABLES = `select relname from pg_class where relnamespace = 'public'::regnamespace 
  and relkind = 'r' order by relname`
const XID_RANK = 'to_jsonb(dense_rank() over (order by t.xid))'

/** Columns of some tables that a row may be written to, by table. */
type Columns = Map<string, Set<string>>

const WRITABLE = `select c.relname, a.attname from pg_attribute as a join pg_class as c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and c.relname = any ($1)`

/**
 * Writes recorded rows as they are, without triggers and foreign keys. Leaves out columns and tables that a
 * later schema does not have: a statement that needs them fails by itself. The schema rejects rows without a
 * column that it requires.
 */
export async function writeRows(client: pg.Client, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const byTable = Map.groupBy(rows, ([table]) => table)
  const { rows: writable } = await client.query(WRITABLE, [[...byTable.keys()]])
  const columns: Columns = new Map()
  for (const { relname, attname } of writable)
    columns.set(relname, (columns.get(relname) ?? new Set()).add(attname))
  await client.query('set local session_replication_role = replica')
  for (const [table, all] of byTable) {
    const known = columns.get(table)
    if (known === undefined) continue
    const list = Object.keys(JSON.parse(all[0]?.[1] ?? '{}'))
      .filter((name) => known.has(name))
      .map((name) => `"${name}"`)
      .join()
    await client.query(
      `insert into "${table}" (${list}) overriding system value
        select ${list} from jsonb_populate_recordset(null::"${table}", $1)`,
      [`[${all.map(([, json]) => json).join()}]`],
    )
  }
  await client.query('set local session_replication_role = origin')
}

/** Empties a database, and lets it give out no number that a recorded row may have. */
export const emptyDatabase = (database: SqlDatabase): Promise<void> =>
  database.execScript(`do $$
    declare _name text;
    begin
      for _name in ${TABLES} loop
        execute format('truncate %I cascade', _name);
      end loop;
      for _name in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' loop
        perform setval(_name, 1000000);
      end loop;
    end $$`)
