import pg from 'pg'
import { refusalOf, resultOf } from './recorder.ts'
import type { Answer, Example } from './recording.ts'
import { type Row, writeRows } from './rows.ts'

/**
 * Runs an example on a database as the Worker's role, and rolls everything back.
 * @param before changes the schema first, in the same transaction
 * @param beside further rows, of which a statement may find some, and a query for the rows that it must not
 *   change
 * @returns the difference from the recorded answer; undefined if there is no difference
 */
export async function replay(
  client: pg.Client,
  example: Example,
  before?: string,
  beside?: { rows: Row[]; kept: string },
): Promise<string | undefined> {
  await client.query('begin')
  try {
    if (before !== undefined) await client.query(before)
    for (const rows of [example.rows, beside?.rows ?? []]) {
      const refused = await writeRows(client, rows).catch(ofPostgres)
      if (refused) return `${nameOf(example)}: its rows can't be written: ${refused.message}`
    }
    const read = async () => beside && JSON.stringify((await client.query(beside.kept)).rows)
    const kept = await read()
    const answer = await answerTo(client, example)
    const difference = differenceOf(example, beside ? withoutMore(answer, example.answer) : answer)
    if (difference !== undefined || 'code' in answer) return difference
    await client.query('reset role')
    return (await read()) === kept ? undefined : `${nameOf(example)}: rows have changed that none may change`
  } finally {
    await client.query('rollback')
  }
}

async function answerTo(
  client: pg.Client,
  { role, statements }: Example,
): Promise<Answer & { message?: string }> {
  try {
    if (role !== null) await client.query(`set local role ${pg.escapeIdentifier(role)}`)
    const results = []
    for (const { query, params } of statements) {
      const { fields, rows, rowCount } = await client.query({
        text: query,
        values: params ?? [],
        rowMode: 'array',
        types: { getTypeParser: () => (value: string) => value },
      })
      results.push(resultOf({ fields, rows, rowCount }))
    }
    // Checks that wait for the commit run now.
    await client.query('set constraints all immediate')
    return { results }
  } catch (error) {
    const { code = '', constraint, message } = ofPostgres(error)
    return { ...refusalOf({ code, constraint }), message }
  }
}

/** An answer with as many rows as were recorded, where it has more. */
const withoutMore = (answer: Answer & { message?: string }, recorded: Answer) =>
  'code' in answer || 'code' in recorded
    ? answer
    : {
        results: answer.results.map((one, index) => {
          const rows = recorded.results[index]?.rows ?? null
          return { ...one, rows: Number(one.rows) > Number(rows) ? rows : one.rows }
        }),
      }

function ofPostgres(error: unknown): pg.DatabaseError {
  if (error instanceof pg.DatabaseError) return error
  throw error
}

function differenceOf(example: Example, { message, ...answer }: Answer & { message?: string }) {
  const [expected, found] = [example.answer, answer].map((one) => JSON.stringify(one))
  return expected === found ? undefined : `${nameOf(example)}: ${message ?? found} instead of ${expected}`
}

/** A request as a sentence of a test names it: the function that it calls, or how its statements begin. */
const nameOf = ({ role, statements }: Example): string =>
  `${role ?? 'the owner'} sent ${statements
    .map(({ query }) => /"?api_\d+"?\."?\w+"?/.exec(query)?.[0].replaceAll('"', '') ?? query.slice(0, 120))
    .join('; ')}`
