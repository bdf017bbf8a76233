import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateAgent } from '../../lib/agents/change-queries.ts'
import { statusesAllowing } from '../../lib/agents/rules.ts'
import { openPostgres } from '../../lib/local/neon/postgres.ts'
import { insertAttestation } from '../../lib/reputation/queries.ts'
import type { AgentStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let database: Awaited<ReturnType<typeof connectDatabase>>
let engine: Awaited<ReturnType<typeof openPostgres>>
beforeAll(async () => {
  database = await connectDatabase()
  engine = await openPostgres(database.url)
})
afterAll(async () => {
  await engine.close()
  await database.close()
})

const range = (length: number) => Array.from({ length }, (_, i) => i)
const query = async (text: string, ...params: string[]) =>
  (await engine.run([{ query: text, params }]))[0]?.rows ?? []
const stored = (wallet: Wallet) =>
  storeAgent(database.db, wallet, now).then(
    (agent) => agent,
    () => undefined,
  )
const set = (wallet: Wallet, id: string, status: AgentStatus) =>
  updateAgent(database.db, {
    id,
    wallet,
    isOperator: false,
    details: {},
    status,
    ownerFrom: statusesAllowing('owner', status),
    operatorFrom: [],
    now,
  })
const counters = async (wallet: Wallet) =>
  (await query('select agents, active_agents from wallet_quotas where wallet = $1', wallet))[0]

it('no race of registrations and changes of status passes 200 active agents or loses a place', async () => {
  const wallet = newWallet()
  const agents = (await Promise.all(range(230).map(() => stored(wallet)))).flatMap((agent) => agent ?? [])
  expect(agents).toHaveLength(200)
  const [half, rest] = [agents.slice(0, 100), agents.slice(100)]
  await Promise.all(half.flatMap(({ id }) => [set(wallet, id, 'inactive'), set(wallet, id, 'inactive')]))
  expect(await counters(wallet)).toEqual(['200', '100'])
  await Promise.all([
    ...half.flatMap(({ id }) => [set(wallet, id, 'active'), set(wallet, id, 'inactive')]),
    ...half.map(({ id }) => set(wallet, id, 'active')),
    ...range(80).map(() => stored(wallet)),
    ...rest.slice(0, 30).map(({ id }) => set(wallet, id, 'inactive')),
  ])
  const [[total, active] = []] = await query(
    "select count(*), count(*) filter (where status = 'active') from agents where pubkey = $1",
    wallet,
  )
  expect(await counters(wallet)).toEqual([total, active])
  expect(Number(active)).toBeLessThanOrEqual(200)
})

it('the thousandth agent of a wallet is its last, whatever their status', async () => {
  const wallet = newWallet()
  await stored(wallet)
  await query('update wallet_quotas set agents = 990, active_agents = 0 where wallet = $1', wallet)
  const agents = await Promise.all(range(40).map(() => stored(wallet)))
  expect(agents.filter((agent) => agent !== undefined)).toHaveLength(10)
})

it('of parallel attestations of a wallet 100 are recorded on a day, each counted once', async () => {
  const wallet = newWallet()
  const attest = (credentialId: string, createdAt = now) =>
    insertAttestation(database.db, {
      id: crypto.randomUUID(),
      wallet,
      credentialType: 'skill',
      credentialId,
      verificationLevel: 'self_attested',
      createdAt,
    }).then(
      () => true,
      () => false,
    )
  // Each of 60 twice at once: recorded and counted once.
  await Promise.all(range(120).map((i) => attest(`c-${i % 60}`)))
  const read = () => query('select attestations from wallet_quotas where wallet = $1', wallet)
  expect(await read()).toEqual([['60']])
  const more = await Promise.all(range(80).map((i) => attest(`more-${i}`)))
  expect(more.filter(Boolean)).toHaveLength(40)
  expect(await query('select count(*) from attestations where wallet = $1', wallet)).toEqual([['100']])
  expect(await attest('tomorrow', new Date(now.getTime() + 86_400_000))).toBe(true)
  expect(await read()).toEqual([['1']])
})
