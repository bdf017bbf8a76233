import pg from 'pg'
import { API_SCHEMA } from '../../schema/release.ts'
import { ALL, type Group, rightsOf } from '../../schema/rights.ts'

/** What a role may do, each as `select agents.name`, `delete agents` or `execute api_1.hire_agent`. */
export type Tried = Set<string>

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Tries every right on every table, column and function of our schemas as a role. Postgres checks rights when
 * it begins to execute, which EXPLAIN does without doing anything.
 * @param client the owner's
 */
export async function tryAll(client: pg.Client, role: string): Promise<Tried> {
  const { columns, functions } = await catalogOf(client)
  const may: Tried = new Set()
  const attempt = async (what: string, statement: string) => {
    const refusal = await client.query(`explain ${statement}`).then(
      () => undefined,
      (error: pg.DatabaseError) => error,
    )
    if (refusal === undefined) may.add(what)
    else if (refusal.code !== INSUFFICIENT_PRIVILEGE) throw refusal
  }
  await client.query(`set session authorization ${pg.escapeIdentifier(role)}`)
  for (const { table, column, type } of columns) {
    const name = pg.escapeIdentifier(column)
    await attempt(`select ${table}.${column}`, `select ${name} from public.${table}`)
    await attempt(
      `insert ${table}.${column}`,
      `insert into public.${table} (${name}) overriding system value select null::${type} where false`,
    )
    await attempt(`update ${table}.${column}`, `update public.${table} set ${name} = default where false`)
  }
  for (const table of new Set(columns.map((column) => column.table)))
    await attempt(`delete ${table}`, `delete from public.${table} where false`)
  for (const { schema, name, types } of functions) {
    // Of constants the planner would work out what an immutable function makes.
    const values = types.map((type, i) => `null::${type} as value_${i}`).join(', ')
    const given = types.map((_type, i) => `value_${i}`).join(', ')
    const call = `select ${schema}.${name}(${given}) from (select ${values} offset 0) as once`
    await attempt(`execute ${schema}.${name}`, call)
  }
  await client.query('reset session authorization')
  return may
}

/** What schema/rights.ts says that a group may, as `tryAll` names it. */
export function givenTo(group: Group, all: Column[]): string[] {
  const { select, insert = {}, update = {}, delete: deletable = [], execute = [] } = rightsOf(group)
  const columns = Object.entries({ select, insert, update }).flatMap(([right, tables]) =>
    Object.entries(tables).flatMap(([table, names]) =>
      (names === ALL ? all.filter((one) => one.table === table).map(({ column }) => column) : names).map(
        (column) => `${right} ${table}.${column}`,
      ),
    ),
  )
  return [
    ...columns,
    ...deletable.map((table) => `delete ${table}`),
    ...execute.map((name) => `execute ${name.includes('.') ? name : `${API_SCHEMA}.${name}`}`),
  ]
}

type Column = { table: string; column: string; type: string }
type Signature = { schema: string; name: string; types: string[] }

/** All columns and functions of our schemas but functions of triggers, which nobody calls. */
export async function catalogOf(client: pg.Client): Promise<{ columns: Column[]; functions: Signature[] }> {
  const columns = await client.query<Column>(`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped
    order by relname, attnum`)
  // So that types of tables are named with their schema.
  await client.query("set search_path = ''")
  const functions = await client.query<Signature>(`
    select nspname as schema, proname as name,
      array(select format_type(type, null) from unnest(proargtypes) as type) as types
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname not in ('pg_catalog', 'information_schema') and prorettype <> 'trigger'::regtype
    order by nspname, proname`)
  await client.query('reset search_path')
  return { columns: columns.rows, functions: functions.rows }
}
