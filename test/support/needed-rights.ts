import pg from 'pg'

/** A right that a statement needs: of a column, or where `column` is missing of any one of the table. */
export type Needed = { right: 'select' | 'insert' | 'update' | 'delete'; table: string; column?: string }
type Needs = { rights: Needed[]; functions: string[] }

/** Bits of AclMode, and where an attribute's number 0 stands in a set of columns (Postgres' source). */
const RIGHTS = { insert: 1, select: 2, update: 4, delete: 8 }
const FIRST_COLUMN = 7

/**
 * Finds the rights that statements need. Postgres itself parses their text: in the tree, each table has the
 * rights and columns that it will check. Nothing is executed.
 * @param url a database with all tables and functions
 */
export async function openNeeds(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const names = async (query: string) =>
    new Map((await client.query<[string, string]>({ text: query, rowMode: 'array' })).rows)
  const tables = await names(
    `select oid::text, relname from pg_class where relnamespace = 'public'::regnamespace`,
  )
  const columns = await names(
    `select attrelid || ' ' || attnum, attname from pg_attribute, pg_class
     where pg_class.oid = attrelid and relnamespace = 'public'::regnamespace`,
  )
  const functions = await names(
    `select oid::text, pronamespace::regnamespace || '.' || proname from pg_proc
     where pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
  )
  let tree = ''
  client.on('notice', ({ message, detail }) => {
    if (message === 'parse tree:') tree += detail
  })
  await client.query(
    'set debug_print_parse = on; set debug_pretty_print = off; set client_min_messages = log',
  )
  const rightsIn = (permission: RegExpMatchArray): Needed[] => {
    const [, oid = '', bits, selected, inserted, updated] = permission
    const table = tables.get(oid)
    if (table === undefined) return []
    const of = (right: Needed['right'], set = '') => {
      if ((Number(bits) & RIGHTS[right]) === 0) return []
      const numbers = set.match(/\d+/g) ?? []
      if (numbers.length === 0) return [{ right, table }]
      return numbers.map((number) => {
        const column = columns.get(`${oid} ${Number(number) - FIRST_COLUMN}`)
        return { right, table, ...(column !== undefined && { column }) }
      })
    }
    return [...of('select', selected), ...of('insert', inserted), ...of('update', updated), ...of('delete')]
  }
  return {
    async of(text: string): Promise<Needs> {
      tree = ''
      await client.query(`prepare needs as ${text}`)
      await client.query('deallocate needs')
      const parsed = tree.replace(/\s+/g, ' ')
      const permissions = parsed.matchAll(
        /RTEPERMISSIONINFO :relid (\d+) .*?:requiredPerms (\d+) .*?:selectedCols (\(.*?\)) :insertedCols (\(.*?\)) :updatedCols (\(.*?\))/g,
      )
      const called = [...parsed.matchAll(/:funcid (\d+)/g)].flatMap(
        ([, oid = '']) => functions.get(oid) ?? [],
      )
      return { rights: [...permissions].flatMap(rightsIn), functions: [...new Set(called)] }
    },
    close: () => client.end(),
  }
}
