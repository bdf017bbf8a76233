import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { selectAgents } from '../../lib/agents/listing/page-queries.ts'
import { searchAgents } from '../../lib/agents/listing/search-queries.ts'
import { unlistIdleAgents } from '../../lib/agents/listing/unlist-idle.ts'
import { recordLogin } from '../../lib/auth/queries.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { storeHire } from '../support/hires.ts'
import { untilWaiting } from '../support/locks.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { insertAgent, newWallet, updateAgent } from '../support/stored-agents.ts'

/* Agents that nobody uses are found neither by words nor by layer: what is left of them, and races. */

const DAY = 86_400_000
const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * DAY)

let database: Awaited<ReturnType<typeof connectDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await connectDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})
beforeEach(() => client.query('delete from hire_payments; delete from hires; delete from agents'))

const logIn = (wallet: Wallet, now: Date) =>
  recordLogin(database.db, { nonce: crypto.randomUUID(), wallet, now })
const offer = (owner: Wallet, name: string, n = 0) =>
  insertAgent(database.db, {
    id: crypto.randomUUID(),
    pubkey: owner,
    name,
    description: 'Watches prices of many things',
    agentType: 'oracle',
    supportedLayers: [1, 2, 3],
    feeModel: 'flat',
    feeAmount: 1n,
    registeredAt: day(n),
  })
const describeAs = (id: string, wallet: Wallet, description: string, now: Date) =>
  updateAgent(database.db, {
    ...{ id, wallet, isOperator: false, details: { description }, now },
    ...{ ownerFrom: ['active'], operatorFrom: [] },
  })
const runJobs = async (now: Date) => {
  const { unlisted } = await unlistIdleAgents({ db: database.db, now, elapsed: () => 0 })
  return { unlisted }
}

/** Ids of the agents that `q` finds, that a layer lists, and that are in the list of all. */
async function found(q: string) {
  const { db } = database
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort()
  return {
    byWord: ids((await searchAgents(db, { status: 'active', q }, undefined, 100)).agents),
    byLayer: ids(await selectAgents(db, { status: 'active', layer: 2 }, undefined, 100)),
    inAll: (await selectAgents(db, { status: 'active' }, undefined, 100)).length,
  }
}

/** Returns the rows of all agents for search and lists. */
async function stored() {
  const { rows } = await client.query(`select
    (select count(*) from document_words where kind = 'agent')::integer as words,
    (select count(*) from documents where kind = 'agent')::integer as texts,
    (select count(*) from agent_listings where layer <> 0)::integer as layers,
    (select count(*) from agent_listings where layer = 0)::integer as agents`)
  return rows[0]
}

describe('agents of unpaid wallets that never log in again', () => {
  it('leave no words and no listings by layer after 31 days', async () => {
    const { db } = database
    const free = Array.from({ length: 10 }, newWallet)
    for (const wallet of free) await logIn(wallet, day(0))
    for (let n = 0; n < 50; n++) await Promise.all(free.map((wallet) => offer(wallet, `Spam ${n}`)))
    const owners = Array.from({ length: 4 }, newWallet) as [Wallet, Wallet, Wallet, Wallet]
    for (const wallet of owners) await logIn(wallet, day(0))
    const [hired, loggedIn, paid, idle] = await Promise.all([
      offer(owners[0], 'Honest hired'),
      offer(owners[1], 'Honest loggedin'),
      offer(owners[2], 'Honest paid'),
      offer(owners[3], 'Honest idle'),
    ])
    await storeHire(db, { agentId: hired.id, owner: owners[0], payer: newWallet(), now: day(20) })
    await logIn(owners[1], day(20))
    const hire = await storeHire(db, { agentId: paid.id, owner: owners[2], payer: newWallet(), now: day(0) })
    await recordPayments(db, [{ ...hire, amount: 1n, fee: 0n }], ONE_CRED, day(20))

    await runJobs(day(29.9))
    expect(await stored()).toMatchObject({ texts: 504, layers: 3 * 504, agents: 504 })
    expect(await runJobs(day(31))).toEqual({ unlisted: 501 })
    const left = await stored()
    expect(left).toMatchObject({ texts: 3, layers: 9, agents: 504 })
    expect(left.words).toBeLessThan(3 * 30)
    const used = [hired.id, loggedIn.id, paid.id].sort()
    expect(await found('honest')).toEqual({ byWord: used, byLayer: used, inAll: 100 })
    expect((await found('spam')).byWord).toEqual([])
    expect((await found('watches prices')).byWord).toEqual(used)

    await logIn(owners[3], day(60))
    expect((await found('honest')).byWord).toEqual([...used, idle.id].sort())
    // Sixty days after the rest was used: a payment is one use, and wears off.
    await runJobs(day(80))
    expect((await found('honest')).byLayer).toEqual([idle.id])
  })

  it('are checked once, and again 30 days after a login', async () => {
    const wallet = newWallet()
    await logIn(wallet, day(0))
    for (let n = 0; n < 5; n++) await offer(wallet, 'Agent')
    await logIn(wallet, day(10))
    expect(await runJobs(day(30))).toEqual({ unlisted: 0 })
    const { rows } = await client.query('select distinct listed_until from agents')
    expect(rows).toEqual([{ listed_until: day(40) }])
    expect(await runJobs(day(39.9))).toEqual({ unlisted: 0 })
    expect(await runJobs(day(40))).toEqual({ unlisted: 5 })
    expect(await runJobs(day(41))).toEqual({ unlisted: 0 })
  })

  it('are listed again by a login, which writes no listed agent', async () => {
    const wallet = newWallet()
    await logIn(wallet, day(0))
    for (let n = 0; n < 200; n++) await offer(wallet, 'Agent')
    await client.query('update agents set fee_amount = 2')
    await logIn(wallet, day(1))
    const { rows } = await client.query('select distinct xmin from agents')
    expect(rows).toHaveLength(1)
    await runJobs(day(60))
    expect(await stored()).toMatchObject({ texts: 0, layers: 0 })
    await logIn(wallet, day(60))
    expect(await stored()).toMatchObject({ texts: 200, layers: 600 })
  })
})

describe('unlisting against', () => {
  const UNLIST = `select * from ${API_SCHEMA}.unlist_idle_agents(_limit => 100, _now => $1)`
  const now = day(40)

  /** An idle agent, and its owner. */
  async function idle() {
    const owner = newWallet()
    await logIn(owner, day(0))
    return { owner, ...(await offer(owner, 'Honest')) }
  }

  /** Runs a call while an unlisting has not committed yet, for which the call must wait. */
  async function duringUnlisting(call: () => Promise<unknown>) {
    await client.query('begin')
    const { rows } = await client.query(UNLIST, [now])
    expect(rows).toEqual([{ checked: 1, unlisted: 1 }])
    const called = call()
    await untilWaiting(database.url, 1)
    await client.query('commit')
    await called
  }

  /** Runs an unlisting while a call has not committed: it waits for nobody, and leaves the agent alone. */
  async function unlistingDuring(text: string, params: unknown[]) {
    await client.query('begin')
    await client.query(text, params)
    expect(await runJobs(now)).toEqual({ unlisted: 0 })
    await client.query('commit')
  }

  const LOGIN = `select * from ${API_SCHEMA}.record_login($1, $2, $3, null, $2)`

  it('a login leaves the agent listed in any order', async () => {
    const { owner, id } = await idle()
    await unlistingDuring(LOGIN, [crypto.randomUUID(), now, owner])
    expect((await found('honest')).byWord).toEqual([id])
    await client.query('update wallets set last_login_at = $1', [day(0)])
    await duringUnlisting(() => logIn(owner, now))
    expect(await found('honest')).toEqual({ byWord: [id], byLayer: [id], inAll: 1 })
    expect(await runJobs(now)).toEqual({ unlisted: 0 })
  })

  it('a hire leaves the agent listed in any order', async () => {
    const { owner, id } = await idle()
    const hire = () => storeHire(database.db, { agentId: id, owner, payer: newWallet(), now })
    await unlistingDuring('select from agents where id = $1 for no key update', [id])
    await duringUnlisting(hire)
    expect(await found('honest')).toEqual({ byWord: [id], byLayer: [id], inAll: 1 })
    expect(await runJobs(now)).toEqual({ unlisted: 0 })
    expect(await runJobs(day(71))).toEqual({ unlisted: 1 })
  })

  it('a change of the text leaves no words until the next login', async () => {
    const { owner, id } = await idle()
    await unlistingDuring('update agents set description = $2 where id = $1', [id, 'Looks at zebras'])
    expect((await found('zebras')).byWord).toEqual([id])
    await duringUnlisting(() => describeAs(id, owner, 'Counts okapis', now))
    expect(await stored()).toEqual({ words: 0, texts: 0, layers: 0, agents: 1 })
    await logIn(owner, now)
    expect((await found('okapis')).byWord).toEqual([id])
    expect((await found('zebras')).byWord).toEqual([])
  })

  it('many logins, hires and job runs leaves every used agent listed', async () => {
    const all = []
    for (let n = 0; n < 30; n++) all.push(await idle())
    const used = all.filter((_, n) => n % 3 > 0)
    await Promise.all(
      all.flatMap(({ owner, id }, n) => [
        runJobs(now),
        ...(n % 3 === 1 ? [logIn(owner, now)] : []),
        ...(n % 3 === 2 ? [storeHire(database.db, { agentId: id, owner, payer: newWallet(), now })] : []),
      ]),
    )
    await runJobs(now)
    const ids = used.map(({ id }) => id).sort()
    expect(await found('honest')).toEqual({ byWord: ids, byLayer: ids, inAll: 30 })
  })
})
