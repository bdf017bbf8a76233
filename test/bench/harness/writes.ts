import type { FastifyInput } from '../peers/inputs.ts'
import { type Bench, type Database, startNeighbours } from './bench.ts'
import type { Action, Call } from './load.ts'
import { alternate, CPU_ROUNDS } from './measure.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from './report.ts'
import { observe, startFastify, startWorker } from './subjects.ts'

/** A write of one of our Workers. */
export type Write = {
  /** Fastify's path, with `:name` for parameters; ours is the same under /v1. */
  path: string
  /** The JSON schema by which Fastify validates the body; without one there is no body. */
  schema?: object
  /** The request of each number, which is counted from 1. Number 0 shows the Worker's statements. */
  call: (number: number) => Call
  /** The parameters of a request's statements by their names, from the answer to number 0. */
  sources: (body: Record<string, unknown>) => Record<string, unknown>
  /** The goal for CPU, ours : Fastify. */
  limit: number
}

const FASTIFY = 'Fastify + pg'
const oursOf = (group: string) => `${group} Worker`

/** The number of requests of a write: to both, and number 0. */
export const SENT = 2 * (CPU_ROUNDS.warmUp + CPU_ROUNDS.rounds * CPU_ROUNDS.count) + 1

/** The rows that a comparison of a Worker's writes promises. */
export const comparedSubjects = (group: string): string[] => [oursOf(group), FASTIFY]

/** Compares a Worker's writes with Fastify running the same SQL. */
export async function compareWrites(
  bench: Bench,
  database: Database,
  group: string,
  writes: Write[],
): Promise<Section[]> {
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const worker = await startWorker(bench, neighbours, group)
  const captured = []
  for (const write of writes) captured.push({ write, ...(await observe(worker, neighbours, write.call(0))) })
  const fastify = await startFastify(bench, database.url, {
    list: { query: 'select 1', params: [] },
    writes: captured.map(({ write, body, counts }) => peerOf(write, body, counts.statements)),
  })
  const sections: Section[] = []
  const ours = oursOf(group)
  for (const { write, counts } of captured) {
    const action: Action = (client, number) => client.send(write.call(number))
    const peerAction: Action = (client, number) => {
      const { path, ...rest } = write.call(number)
      return client.send({ ...rest, path: path.replace('/v1', '') })
    }
    const measured = await alternate(
      [
        { name: ours, ...worker, action },
        { name: FASTIFY, ...fastify, action: peerAction },
      ],
      CPU_ROUNDS,
    )
    sections.push({
      title: `POST ${write.path.replace(/:(\w+)/g, '{$1}')}`,
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, { [ours]: counts.sql, [FASTIFY]: 1 }),
      goals: [
        {
          what: 'CPU, ours : Fastify running the same SQL',
          measured: ratioOf(measured, 'cpuMs', ours, FASTIFY),
          limit: write.limit,
          is: 'at most',
        },
      ],
      notes: [`${counts.sqlBytesOut.toLocaleString('en')} bytes of SQL request`],
    })
  }
  return sections
}

/** The statements that our Worker sent, their values by where a later request has them. */
function peerOf(
  { path, schema, sources }: Write,
  body: Record<string, unknown>,
  sent: FastifyInput['writes'][number]['statements'],
): FastifyInput['writes'][number] {
  const values = Object.entries(sources(body)).filter(
    (source): source is [string, string] => typeof source[1] === 'string',
  )
  const marked = (param: string | null) =>
    values.reduce((text, [name, value]) => text?.replaceAll(value, `{{${name}}}`) ?? null, param)
  const statements = sent.map(({ query, params }) => ({ query, params: params.map(marked) }))
  if (!statements.every(({ params }) => params.some((param) => param?.includes('{{'))))
    throw new Error('nothing of the request in a statement')
  return { path, ...(schema && { schema }), statements }
}
