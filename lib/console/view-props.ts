/** The properties of every view. */
export type ViewProps = {
  /** The part of the address after its first. */
  id?: string | undefined
  /** The parts after the id. */
  further: readonly string[]
  query: URLSearchParams
}
