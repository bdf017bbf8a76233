import type { ComponentChildren } from 'preact'

type Column<Row> = {
  head: string
  /** Returns the content of a row's cell. */
  cell: (row: Row) => ComponentChildren
}

/** The columns of a table, at least one. */
export type Columns<Row> = readonly [Column<Row>, ...Column<Row>[]]

/**
 * Shows entries as rows, which a narrow screen stacks: each cell then has its column's head beside it. The
 * cells of the first column head their rows.
 * @param caption what the rows are, for a screen reader
 * @param keyOf returns what tells a row from the others
 */
export const Table = <Row,>({
  caption,
  columns: [first, ...others],
  rows,
  keyOf,
}: {
  caption: string
  columns: Columns<Row>
  rows: readonly Row[]
  keyOf: (row: Row) => string
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
  <div class="table stacked" tabIndex={0}>
    <table>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {[first, ...others].map(({ head }) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{first.cell(row)}</th>
            {others.map(({ head, cell }) => (
              <td key={head} data-label={head}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
