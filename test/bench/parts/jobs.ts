import {
  JOB_BRIEF_LENGTH,
  JOB_MINUTES,
  JOB_TEXT_BYTES,
  JOB_TITLE_LENGTH,
  type jobStatuses,
} from '../../../schema/values.ts'
import type { Bench, Database, User } from '../harness/bench.ts'
import type { Section } from '../harness/report.ts'
import { MARKET, seedAgents } from '../harness/seed.ts'
import { comparedSubjects, compareWrites, SENT, type Write } from '../harness/writes.ts'

/** A wallet that never paid has five orders at most; each wallet here has four. */
const USERS = Math.ceil(SENT / 4)

const BRIEF = 'Translate the product page into German, with informal address. Keep the headings. '.repeat(3)
/** A page of text. */
const DELIVERY = 'Willkommen! So richtest du dein Konto ein: Öffne die Seite und wähle „Neu“. '.repeat(26)

/** POST /jobs, a delivery and an approval beside Fastify running the same SQL. */
export async function jobs(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('jobs')
  return compareWrites(bench, database, 'work', await writesOf(bench, database))
}

async function writesOf(bench: Bench, database: Database): Promise<Write[]> {
  await seedAgents(database, MARKET)
  const users = await Promise.all(Array.from({ length: USERS }, bench.createUser))
  const of = (number: number) => users[number % USERS] as User
  const wallets = users.map(({ wallet }) => wallet.publicKey as string)
  const { agentIds, funded, delivered } = await seedJobs(database, wallets)
  const owner = (number: number) => of(number + 1)
  const [hirerOf0, ownerOf0] = [of(0).wallet.publicKey, owner(0).wallet.publicKey]
  return [
    {
      path: '/jobs',
      schema: ORDER_SCHEMA,
      call: (number) => ({
        method: 'POST',
        path: '/v1/jobs',
        headers: of(number).headers,
        body: {
          ...{ agentId: agentIds[number % agentIds.length], reference: `order ${number}.` },
          ...{ title: 'Translate a product page', brief: BRIEF, price: 20_000_000_000, judge: 'none' },
        },
      }),
      sources: ({ id, createdAt, agentId, reference }) => ({
        ...{ id, wallet: hirerOf0, now: createdAt, agentId, reference, brief: BRIEF },
      }),
      limit: 1.3,
    },
    {
      path: '/jobs/:id/delivery',
      schema: DELIVERY_SCHEMA,
      call: (number) => ({
        method: 'POST',
        path: `/v1/jobs/${funded[number % funded.length]}/delivery`,
        headers: owner(number % funded.length).headers,
        body: { text: DELIVERY },
      }),
      sources: ({ id, deliveredAt }) => ({ id, wallet: ownerOf0, now: deliveredAt, text: DELIVERY }),
      limit: 1.3,
    },
    {
      path: '/jobs/:id/approve',
      call: (number) => ({
        method: 'POST',
        path: `/v1/jobs/${delivered[number % delivered.length]}/approve`,
        headers: of(number % delivered.length).headers,
      }),
      sources: ({ id, endedAt }) => ({ id, wallet: hirerOf0, now: endedAt }),
      limit: 1.3,
    },
  ]
}

/** The rows that this part promises. */
export const subjects = (): string[] => comparedSubjects('work')

/**
 * Lets every active agent take jobs, and stores jobs that are funded or delivered. Wallet n ordered the jobs
 * n, n + USERS, …; the next wallet owns their agent.
 */
async function seedJobs({ query }: Database, wallets: string[]) {
  const { rows } = await query(`select id from agents where status = 'active'`)
  await query(OWN_AGENTS, [wallets])
  await query(`insert into job_terms (agent_id, min_price, work_minutes, judges, set_at)
    select id, 1000000000, 60, '{none}', now() from agents where status = 'active'`)
  const idsOf = async (status: (typeof jobStatuses)[number]): Promise<string[]> =>
    (await query(JOBS, [SENT, wallets, status])).rows.map(({ id }) => id)
  const ids = {
    agentIds: rows.map(({ id }) => id),
    funded: await idsOf('funded'),
    delivered: await idsOf('delivered'),
  }
  await query('vacuum analyze')
  return ids
}

const OWN_AGENTS = `
  insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, status, registered_at)
  select uuidv7(), owner, 'Translator', 'oracle', '{10,17}', 'flat', 1, 'active', now() from unnest($1::text[]) as owner`

const JOBS = `
  insert into jobs (id, agent_id, owner, hirer, reference, title, brief, price, fee_bps, judge, accept_minutes,
    work_minutes, review_minutes, terms_hash, salt, status, due_at, counted_at, created_at, accepted_at, key_version,
    funded_at, delivered_at, delivery_hash)
  select uuidv7(make_interval(secs => n - $1)), agents.id, agents.pubkey, wallets[1 + n % cardinality(wallets)],
    $3 || n, 'Translate a product page', repeat('Into German, with informal address. ', 7), 20000000000, 100, 'none',
    4320, 4320, 4320, repeat('a1', 32), repeat('c3', 16), $3, now() + interval '3 days', now(), now(), now(), 1,
    now(), case when $3 = 'delivered' then now() end, case when $3 = 'delivered' then repeat('a1', 32) end
  from (select $2::text[] as wallets) as given, generate_series(0, $1::int - 1) as n
    join agents on agents.pubkey = ($2::text[])[1 + (n + 1) % cardinality($2::text[])]
  order by n
  returning id`

const minutes = ({ min, max }: { min: number; max: number }) => ({
  type: 'integer',
  minimum: min,
  maximum: max,
})

const ORDER_SCHEMA = {
  type: 'object',
  required: ['agentId', 'reference', 'title', 'brief', 'price'],
  additionalProperties: false,
  properties: {
    agentId: { type: 'string', format: 'uuid' },
    reference: { type: 'string', minLength: 1, maxLength: 128 },
    title: { type: 'string', minLength: 1, maxLength: JOB_TITLE_LENGTH },
    brief: { type: 'string', minLength: 1, maxLength: JOB_BRIEF_LENGTH },
    inputHash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    price: { type: 'integer', minimum: 1 },
    judge: { type: 'string' },
    acceptMinutes: minutes(JOB_MINUTES.accept),
    workMinutes: minutes(JOB_MINUTES.work),
    reviewMinutes: minutes(JOB_MINUTES.review),
  },
}

const DELIVERY_SCHEMA = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1, maxLength: JOB_TEXT_BYTES } },
}
