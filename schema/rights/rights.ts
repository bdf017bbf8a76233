/** What a group of Workers may do in Postgres. */
export type Rights = {
  /** The Workers that log in by it, as wrangler.toml names their environments. */
  workers: readonly string[]
  /** Tables, each with the columns that may be read; ALL of them, later ones included. */
  select: Readonly<Record<string, Columns>>
  /** `for update` needs this right, too, for one column. */
  update?: Readonly<Record<string, Columns>>
  insert?: Readonly<Record<string, Columns>>
  delete?: readonly string[]
  /** Functions of the release's schema, or `public.<name>`. */
  execute?: readonly string[]
}

export type Columns = readonly string[] | typeof ALL
export const ALL = 'all'
export const all = (...tables: string[]): Record<string, typeof ALL> =>
  Object.fromEntries(tables.map((table) => [table, ALL]))
