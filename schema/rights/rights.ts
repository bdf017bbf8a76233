/** The rights of a group of Workers in Postgres. */
export type Rights = {
  /** The group's Workers, by the names of their environments in wrangler.toml. */
  workers: readonly string[]
  /** Tables with their readable columns; ALL includes later columns. */
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

/** A webhook endpoint's columns, except its encrypted secrets. */
export const ENDPOINT = [
  ...['id', 'wallet', 'url', 'description', 'event_types', 'agent_ids', 'created_at'],
  ...['disabled_at', 'disabled_reason'],
] as const
