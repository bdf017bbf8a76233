/** The columns of a CTE or subquery, for a nested selection: `select({ hire: columnsOf(created) })`. */
export const columnsOf = <Columns>(subquery: { _: { selectedFields: Columns } }): Columns =>
  subquery._.selectedFields
