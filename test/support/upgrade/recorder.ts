import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlEngine, Statement, StatementResult } from '../../../lib/migrations/protocol.ts'
import { logins } from '../../../schema/rights.ts'
import type { Answer, Example, Result } from './recording.ts'
import { type Row, readingOfAll } from './rows.ts'

/** Databases of more rows are not recorded: a few rows are enough for each statement. */
const MAX_ROWS = 500
/** The most examples of one kind. More than one, since an example may not be repeatable, such as a race. */
const MAX_EXAMPLES = 3
/** The most reads of all rows before requests that then show nothing new. */
const MAX_EXAMPLES_OF_ONE = 60

/** Collects examples of the statements of Workers: one for each statement and each of its answers. */
export type Recorder = {
  examples: Example[]
  /** Whether a request of these statements is likely to bring something new. */
  isWanted(statements: Statement[]): boolean
  /** Takes note of an answer. @returns whether an example of it is missing */
  notice(example: Omit<Example, 'rows'>): boolean
  add(example: Example): void
}

/** @param keep is given each example at once, instead of `examples` */
export function createRecorder(keep?: (example: Example) => void): Recorder {
  const known = new Map<string, number>()
  const repeats = new Map<string, number>()
  const examples: Example[] = []
  const take = keep ?? ((example) => examples.push(example))
  const textOf = (statements: Statement[]) => statements.map(({ query }) => query).join(';')
  const isMissing = (key: string) => (known.get(key) ?? 0) < MAX_EXAMPLES
  return {
    examples,
    isWanted: (statements) => (repeats.get(textOf(statements)) ?? 0) < MAX_EXAMPLES_OF_ONE,
    notice(example) {
      const isNew = keysOf(example).some(isMissing)
      const text = textOf(example.statements)
      repeats.set(text, isNew ? 0 : (repeats.get(text) ?? 0) + 1)
      return isNew
    },
    add(example) {
      for (const key of keysOf(example).filter(isMissing)) known.set(key, (known.get(key) ?? 0) + 1)
      take(example)
    },
  }
}

/** What an example shows: of each statement its outcome, whether it found rows, or what refused it. */
export function keysOf({ role, statements, answer }: Omit<Example, 'rows'>): string[] {
  const texts = statements.map(({ query }) => `${role} ${query}`)
  if ('code' in answer) return [`${texts.join(';')} ${answer.code} ${answer.constraint ?? ''}`]
  return texts.map((text, index) => {
    const { outcome, rows } = answer.results[index] ?? { rows: 0 }
    return `${text} ${outcome ?? (rows ? 'rows' : 'none')}`
  })
}

type Handler = (request: Request) => Promise<Response>

/** Records what is sent to a database beside answering it. @param owner sees every row */
export function recordingHandler(recorder: Recorder, owner: SqlEngine, handler: Handler): Handler {
  const reading = readingOfAll(owner, MAX_ROWS + 1)
  const readRows = async (): Promise<Row[] | undefined> => {
    // Tests break databases, too.
    const [found] = await owner.run([{ query: await reading, params: [] }]).catch(() => [])
    const rows = found?.rows as unknown as Row[] | undefined
    return rows && rows.length > MAX_ROWS ? undefined : rows
  }
  return async (request) => {
    const body = (await request.clone().json()) as Statement | { queries: Statement[] }
    const statements = 'queries' in body ? body.queries : [body]
    const before = recorder.isWanted(statements) ? await readRows() : undefined
    const response = await handler(request)
    const answer = answerOf(await response.clone().json())
    if (answer === undefined) return response
    const { username } = new URL(request.headers.get('neon-connection-string') ?? '')
    const role = logins.includes(username) ? username : null
    const example = { role, statements, answer }
    if (recorder.notice(example)) {
      // A rejected statement has changed nothing. Others can't be repeated by the rows afterwards alone.
      const rows = before ?? (await readRows())
      if (rows) recorder.add({ ...example, rows })
    }
    return response
  }
}

/** SQLSTATEs that Workers know: a function's refusals, broken constraints. Others are errors of a test. */
const REFUSALS = /^(AC...|23...)$/

/** An answer of the Neon server: one result, the results of a batch, or an error of Postgres. */
type Body = Partial<StatementResult & { results: StatementResult[]; code: string; constraint: string }>

function answerOf({ fields, rows, rowCount, results, code, constraint }: Body): Answer | undefined {
  if (code) return REFUSALS.test(code) ? refusalOf({ code, constraint }) : undefined
  if (results) return { results: results.map(resultOf) }
  return fields && rows && { results: [resultOf({ fields, rows, rowCount: rowCount ?? null })] }
}

/** Returns the compared parts of a statement's answer. */
export function resultOf({
  fields,
  rows,
  rowCount,
}: Pick<StatementResult, 'fields' | 'rows' | 'rowCount'>): Result {
  const columns = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`)
  const outcome = rows[0]?.[fields.findIndex(({ name }) => name === 'outcome')]
  return { columns, rows: rowCount, ...(typeof outcome === 'string' && { outcome }) }
}

export const refusalOf = ({
  code,
  constraint,
}: {
  code: string
  constraint?: string | undefined
}): Answer => ({
  code,
  ...(constraint && { constraint }),
})

let ofProcess: Recorder | undefined

/** The recorder of this process while a release is recorded: examples go to a file of RECORDED_STATEMENTS. */
export function recorderOfProcess(): Recorder | undefined {
  const folder = process.env.RECORDED_STATEMENTS
  if (folder === undefined) return undefined
  const keep = (example: Example) =>
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(example)}\n`)
  ofProcess ??= createRecorder(keep)
  return ofProcess
}
