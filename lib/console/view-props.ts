/** The properties of every view: the part of the address after its name, and the query. */
export type ViewProps = { id?: string | undefined; query: URLSearchParams }
