import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWorkers } from '../../lib/tools/wrangler.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { ALL, type Group, groupOf, groups, rightsOf } from '../../schema/rights.ts'
import { createDatabase } from '../support/database.ts'
import { type Needed, openNeeds } from '../support/needed-rights.ts'
import { statementsOf } from '../support/worker-statements.ts'

const withDatabase = readWorkers().filter(({ requiredSecrets }) => requiredSecrets.includes('DATABASE_URL'))

/** What the statements of each group's Workers need. */
const needed = new Map<Group, { rights: Needed[]; functions: Set<string> }>()

beforeAll(async () => {
  const database = await createDatabase()
  const needs = await openNeeds(database.url)
  for (const group of groups) {
    const all = { rights: [] as Needed[], functions: new Set<string>() }
    for (const worker of rightsOf(group).workers)
      for (const text of await statementsOf(worker)) {
        const { rights, functions } = await needs.of(text)
        all.rights.push(...rights)
        for (const name of functions) all.functions.add(name.replace(`${API_SCHEMA}.`, ''))
      }
    needed.set(group, all)
  }
  await needs.close()
  await database.close()
})
afterAll(() => needed.clear())

const needsOf = (group: Group) => {
  const needs = needed.get(group)
  if (!needs) throw new Error(`nothing is known of ${group}`)
  return needs
}

const columnsFor = (group: Group, { right, table }: Pick<Needed, 'right' | 'table'>) => {
  const rights = rightsOf(group)
  if (right === 'delete') return rights.delete?.includes(table) ? ALL : []
  return rights[right]?.[table] ?? []
}

const isGranted = (group: Group, need: Needed): boolean => {
  const columns = columnsFor(group, need)
  if (columns === ALL) return true
  return need.column === undefined ? columns.length > 0 : columns.includes(need.column)
}

const named = ({ right, table, column }: Needed) => `${right} ${table}${column ? `.${column}` : ''}`

it('every Worker with a database has one group of rights', () => {
  const workers = groups.flatMap((group) => [...rightsOf(group).workers])
  expect(workers.toSorted()).toEqual(withDatabase.map(({ group }) => group).toSorted())
  for (const { group } of withDatabase) expect(groupOf(group)).toBeDefined()
})

describe.each(groups)('the group %s', (group) => {
  it('may do what the statements of its Workers need, in all their shapes', () => {
    const { rights, functions } = needsOf(group)
    expect(rights.length + functions.size).toBeGreaterThan(2)
    const missing = rights.filter((need) => !isGranted(group, need)).map(named)
    const execute = rightsOf(group).execute ?? []
    const uncallable = [...functions].filter((name) => !execute.includes(name))
    const lacking = [...new Set(missing), ...uncallable.map((name) => `execute ${name}`)]
    expect(lacking, `schema/rights/*.ts: the group ${group} lacks ${lacking.join(', ')}`).toEqual([])
  })

  it('may do no more', () => {
    const { rights, functions } = needsOf(group)
    const isNeeded = (right: Needed['right'], table: string, column?: string) =>
      rights.some(
        (need) =>
          need.right === right &&
          need.table === table &&
          // `for update` needs any column.
          (column === undefined || need.column === undefined || need.column === column),
      )
    const { select, insert = {}, update = {}, delete: deletable = [], execute = [] } = rightsOf(group)
    const unneeded = Object.entries({ select, insert, update }).flatMap(([right, tables]) =>
      Object.entries(tables).flatMap(([table, columns]) =>
        (columns === ALL ? [undefined] : columns).flatMap((column) =>
          isNeeded(right as Needed['right'], table, column) ? [] : `${right} ${table}.${column ?? ALL}`,
        ),
      ),
    )
    expect(unneeded, `schema/rights/*.ts: the group ${group} does not need ${unneeded.join(', ')}`).toEqual(
      [],
    )
    expect(deletable.filter((table) => !isNeeded('delete', table))).toEqual([])
    expect(execute.filter((name) => !functions.has(name))).toEqual([])
  })
})
