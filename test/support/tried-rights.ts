import pg from 'pg'
import { API_SCHEMA } from '../../schema/release.ts'
import { ALL, type Group, rightsOf } from '../../schema/rights.ts'

/** The rights of a role, each as `select agents.name`, `delete agents` or `execute api_1.hire_agent`. */
export type Tried = Set<string>

/**
 * Tries every right on every table, column and function of our schemas as a role. Postgres checks rights when
 * it begins to execute, and EXPLAIN begins without doing anything. One block tries all of them, because a
 * round trip for each of some 2,000 tries would take most of the time.
 * @param client the owner's
 * @throws pg.DatabaseError if a try fails for another reason than a missing right
 */
export async function tryAll(client: pg.Client, role: string): Promise<Tried> {
  const tries = triesOf(await catalogOf(client))
  let may: number[] | undefined
  const onNotice = ({ message = '' }: { message?: string | undefined }) => {
    may = JSON.parse(message)
  }
  const statements = tries.map(({ statement }) => pg.escapeLiteral(statement)).join(', ')
  await client.query(`set session authorization ${pg.escapeIdentifier(role)}`)
  client.on('notice', onNotice)
  await client.query(`do $tries$
    declare
      statements constant text[] := array[${statements}];
      may integer[] := '{}';
    begin
      for i in 1 .. cardinality(statements) loop
        begin
          execute 'explain ' || statements[i];
          may := may || i;
        exception when insufficient_privilege then null;
        end;
      end loop;
      raise notice '%', array_to_json(may);
    end $tries$`)
  client.off('notice', onNotice)
  await client.query('reset session authorization')
  if (may === undefined) throw new Error(`the block of tries as ${role} has said nothing`)
  return new Set(may.flatMap((number) => tries[number - 1]?.what ?? []))
}

/** Each right by its name, and a statement that needs it and no other. */
function triesOf({ columns, functions }: Awaited<ReturnType<typeof catalogOf>>) {
  const ofColumns = columns.flatMap(({ table, column, type }) => {
    const name = pg.escapeIdentifier(column)
    return [
      { what: `select ${table}.${column}`, statement: `select ${name} from public.${table}` },
      {
        what: `insert ${table}.${column}`,
        statement: `insert into public.${table} (${name}) overriding system value select null::${type} where false`,
      },
      {
        what: `update ${table}.${column}`,
        statement: `update public.${table} set ${name} = default where false`,
      },
    ]
  })
  const ofTables = [...new Set(columns.map(({ table }) => table))].map((table) => ({
    what: `delete ${table}`,
    statement: `delete from public.${table} where false`,
  }))
  const ofFunctions = functions.map(({ schema, name, types }) => {
    // Of constants the planner would work out what an immutable function makes.
    const values = types.map((type, i) => `null::${type} as value_${i}`).join(', ')
    const given = types.map((_type, i) => `value_${i}`).join(', ')
    return {
      what: `execute ${schema}.${name}`,
      statement: `select ${schema}.${name}(${given}) from (select ${values} offset 0) as once`,
    }
  })
  return [...ofColumns, ...ofTables, ...ofFunctions]
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
