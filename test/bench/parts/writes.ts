import type { Bench, Database, User } from '../harness/bench.ts'
import type { Section } from '../harness/report.ts'
import { MARKET, seedAgents } from '../harness/seed.ts'
import { comparedSubjects, compareWrites } from '../harness/writes.ts'

/** A wallet may have 200 active agents; so many share the registrations. */
const USERS = 200

const AGENT = { name: 'Yield Scout', agentType: 'autonomous', supportedLayers: [10, 17] }

/** POST /agents/register and POST /agents/hire beside Fastify running the same SQL. */
export async function writes(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('writes')
  await seedAgents(database, MARKET)
  const users = await Promise.all(Array.from({ length: USERS }, bench.createUser))
  const of = (number: number) => users[number % USERS] as User
  const agentIds = await activeAgents(database)
  const wallet = of(0).wallet.publicKey
  return compareWrites(bench, database, 'agents', [
    {
      path: '/agents/register',
      schema: AGENT_SCHEMA,
      call: (number) => ({
        method: 'POST',
        path: '/v1/agents/register',
        headers: of(number).headers,
        body: AGENT,
      }),
      sources: ({ id, registeredAt, name }) => ({ id, wallet, now: registeredAt, name }),
      limit: 1.6,
    },
    {
      path: '/agents/hire',
      schema: HIRE_SCHEMA,
      // Each wallet hires each agent once: the number never repeats.
      call: (number) => ({
        method: 'POST',
        path: '/v1/agents/hire',
        headers: of(number).headers,
        body: { agentId: agentIds[Math.floor(number / USERS) % agentIds.length], budgetLimit: 5_000_000_000 },
      }),
      sources: ({ id, hiredAt, agent }) => ({
        id,
        wallet,
        now: hiredAt,
        agentId: (agent as { id: string }).id,
      }),
      limit: 2,
    },
  ])
}

/** The rows that this part promises. */
export const subjects = (): string[] => comparedSubjects('agents')

const activeAgents = async ({ query }: Database): Promise<string[]> =>
  (await query(`select id from agents where status = 'active'`)).rows.map(({ id }) => id)

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
