import { type Bench, type Database, startNeighbours, type User } from '../harness/bench.ts'
import type { Action, Call } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { MARKET, seedAgents } from '../harness/seed.ts'
import { countsOf, observe, startFastify, startWorker } from '../harness/subjects.ts'
import type { FastifyInput } from '../peers/inputs.ts'

/** A wallet may have 200 active agents; so many share the registrations. */
const USERS = 200

const AGENT = { name: 'Yield Scout', agentType: 'autonomous', supportedLayers: [10, 17] }
const NO_LIST = { query: 'select 1', params: [] }

/** POST /agents/register and POST /agents/hire beside Fastify running the same SQL. */
export async function writes(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('writes')
  await seedAgents(database, MARKET)
  const users = await Promise.all(Array.from({ length: USERS }, bench.createUser))
  const of = (number: number) => users[number % USERS] as User
  const agentIds = await activeAgents(database)
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const worker = await startWorker(bench, neighbours, 'agents')

  const registerCall = (number: number): Call => ({
    method: 'POST',
    path: '/v1/agents/register',
    headers: of(number).headers,
    body: AGENT,
  })
  // Each wallet hires each agent once: the number never repeats.
  const hireCall = (number: number): Call => ({
    method: 'POST',
    path: '/v1/agents/hire',
    headers: of(number).headers,
    body: { agentId: agentIds[Math.floor(number / USERS) % agentIds.length], budgetLimit: 5_000_000_000 },
  })
  const registered = await observe(worker, neighbours, registerCall(0))
  const hired = await observe(worker, neighbours, hireCall(0))
  const fastify = await startFastify(bench, database.url, {
    list: NO_LIST,
    writes: [
      asWrite('/agents/register', AGENT_SCHEMA, registered, of(0)),
      asWrite('/agents/hire', HIRE_SCHEMA, hired, of(0)),
    ],
  })

  const compare = async (title: string, call: (number: number) => Call, limit: number): Promise<Section> => {
    const action: Action = (client, number) => client.send(call(number))
    const peerAction: Action = (client, number) => {
      const { path, ...rest } = call(number)
      return client.send({ ...rest, path: path.replace('/v1', '') })
    }
    const measured = await alternate(
      [
        { name: OURS, ...worker, action },
        { name: FASTIFY, ...fastify, action: peerAction },
      ],
      CPU_ROUNDS,
    )
    const counts = await countsOf(worker, neighbours, action, 1)
    return {
      title,
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, { [OURS]: counts.sql, [FASTIFY]: 1 }),
      goals: [
        {
          what: 'CPU, ours : Fastify running the same SQL',
          measured: ratioOf(measured, 'cpuMs', OURS, FASTIFY),
          limit,
          is: 'at most',
        },
      ],
      notes: [`${counts.sqlBytesOut.toLocaleString('en')} bytes of SQL request`],
    }
  }
  return [
    await compare('POST /agents/register', registerCall, 1.6),
    await compare('POST /agents/hire', hireCall, 2),
  ]
}

const OURS = 'agents Worker'
const FASTIFY = 'Fastify + pg'

/** The rows that this part promises. */
export const subjects = (): string[] => [OURS, FASTIFY]

const activeAgents = async ({ query }: Database): Promise<string[]> =>
  (await query(`select id from agents where status = 'active'`)).rows.map(({ id }) => id)

type Observed = Awaited<ReturnType<typeof observe>>

/** The statements that our Worker sent, their values by where a later request has them. */
function asWrite(
  path: string,
  schema: object,
  { body, counts }: Observed,
  user: User,
): FastifyInput['writes'][number] {
  const agent = body.agent as { id: string } | undefined
  const sources = Object.entries({
    id: body.id,
    wallet: user.wallet.publicKey,
    now: body.registeredAt ?? body.hiredAt,
    agentId: agent?.id,
    name: body.name,
  }).filter((source): source is [string, string] => typeof source[1] === 'string')
  const marked = (param: string | null) =>
    sources.reduce((text, [name, value]) => text?.replaceAll(value, `{{${name}}}`) ?? null, param)
  const statements = counts.statements.map(({ query, params }) => ({ query, params: params.map(marked) }))
  if (!statements.every(({ params }) => params.some((param) => param?.includes('{{id}}'))))
    throw new Error('no id in a statement')
  return { path, schema, statements }
}

const AGENT_SCHEMA = {
  type: 'object',
  required: ['name', 'agentType', 'supportedLayers'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 32 },
    agentType: { enum: ['autonomous', 'semi-autonomous', 'oracle'] },
    supportedLayers: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1, maximum: 22 } },
  },
}

const HIRE_SCHEMA = {
  type: 'object',
  required: ['agentId'],
  additionalProperties: false,
  properties: {
    agentId: { type: 'string', format: 'uuid' },
    budgetLimit: { type: 'integer', minimum: 0 },
  },
}
