import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { hireAgent } from '../../lib/agents/hiring/hire.ts'
import { ApiError } from '../../lib/api-error.ts'
import { recordLogin } from '../../lib/auth/queries.ts'
import { revokeSessions } from '../../lib/auth/revoke.ts'
import { databaseAnswers } from '../../lib/db/answers.ts'
import type { Db } from '../../lib/db/connect.ts'
import { forSession } from '../../lib/db/session.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { loginOf } from '../../schema/rights.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { whileLocked } from '../support/locks.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

const database = useDatabase()
let db: Db
beforeAll(() => {
  db = database.db
})

const range = (length: number) => Array.from({ length }, (_, i) => i)
const { rows: query } = database
const logIn = async (wallet: Wallet) => {
  const session = await recordLogin(db, { nonce: crypto.randomUUID(), wallet, now })
  if (!session) throw new Error('the login was refused')
  return session.epoch
}
const revoke = (wallet: Wallet, epoch: number) =>
  revokeSessions({ db: forSession(db, { wallet, epoch }), now })

/** Whether a session of the wallet may read. */
const isOpen = (wallet: Wallet, epoch: number) => databaseAnswers(forSession(db, { wallet, epoch }))

it('ends sessions of earlier logins and none of later ones, when concurrent', async () => {
  const wallet = newWallet()
  const first = await logIn(wallet)
  const [during] = await Promise.all([
    Promise.all(range(30).map(() => logIn(wallet))),
    // One of the two may be refused.
    ...range(2).map(() => revoke(wallet, first).catch((error: ApiError) => error.code)),
  ])
  expect(await isOpen(wallet, first)).toBe(false)
  expect(new Set([...during, 1])).toEqual(new Set([...during, await logIn(wallet)]))
  for (const epoch of new Set(during)) expect(await isOpen(wallet, epoch)).toBe(epoch === 1)
})

it('ends no later session when the calling session is already revoked', async () => {
  const wallet = newWallet()
  const stolen = await logIn(wallet)
  await revoke(wallet, stolen)
  const later = await logIn(wallet)
  await expect(revoke(wallet, stolen)).rejects.toMatchObject({ code: 'session_revoked' })
  expect(await isOpen(wallet, later)).toBe(true)
})

it('ends no later session when the caller is revoked while it waits', async () => {
  const wallet = newWallet()
  const stolen = await logIn(wallet)
  await whileLocked(
    {
      url: database.url,
      id: wallet,
      lock: 'select from wallets where address = $1 for update',
      waiting: 1,
      change: 'update wallets set session_generation = session_generation + 1 where address = $1',
    },
    () => revoke(wallet, stolen),
  )
  expect([await isOpen(wallet, stolen), await isOpen(wallet, stolen + 1)]).toEqual([false, true])
})

it('lets the auth login only raise the epoch, by one at most', async () => {
  const wallet = newWallet()
  await revoke(wallet, await logIn(wallet))
  const thief = new pg.Client({ connectionString: database.url })
  await thief.connect()
  await thief.query(`set session authorization ${loginOf('auth', 'a')}`)
  const attempt = (text: string, ...params: unknown[]) =>
    thief.query(text, params).then(
      ({ rowCount }) => rowCount,
      (error: pg.DatabaseError) => error.code,
    )
  const DENIED = '42501'
  expect(await attempt('update public.wallets set session_generation = 0 where address = $1', wallet)).toBe(
    DENIED,
  )
  expect(
    await attempt(
      `insert into public.wallets (address, first_login_at, last_login_at) values ($1, $2, $2)
       on conflict (address) do update set session_generation = 0`,
      wallet,
      now,
    ),
  ).toBe(DENIED)
  expect(await attempt('delete from public.wallets where address = $1', wallet)).toBe(DENIED)
  for (const epoch of [-1, 0, 2, 2_147_483_646])
    expect(await attempt(`select ${API_SCHEMA}.revoke_sessions($1, $2, $3)`, wallet, epoch, now)).toBe(
      'AC401',
    )
  expect(await isOpen(wallet, 1)).toBe(true)
  expect(await attempt(`select ${API_SCHEMA}.revoke_sessions($1, $2, $3)`, wallet, 1, now)).toBe(1)
  expect([await isOpen(wallet, 1), await isOpen(wallet, 2)]).toEqual([false, true])
  await thief.end()
})

it('ends no session of another wallet, also when the wallet has no row', async () => {
  const [one, other] = [newWallet(), newWallet()]
  const epoch = await logIn(other)
  expect(await isOpen(one, 0)).toBe(true)
  expect(await isOpen(one, 1)).toBe(false)
  await revoke(one, 0)
  expect([await isOpen(one, 0), await isOpen(one, 1), await isOpen(other, epoch)]).toEqual([
    false,
    true,
    true,
  ])
})

it('completes or rejects concurrent calls, and rejects all calls after it', async () => {
  const wallet = newWallet()
  const epoch = await logIn(wallet)
  const agents = await Promise.all(range(40).map(() => storeAgent(db, newWallet(), now)))
  const session = {
    db: forSession(db, { wallet, epoch }),
    now,
    notify: () => {},
    schedule: () => {},
    hiresPerAddress: 1_000_000,
  }
  let isRevoked = false
  const calls = agents.map(async ({ id: agentId }) => {
    const beganAfter = isRevoked
    try {
      await hireAgent(session, wallet, { agentId, autoRenew: false, expiresInDays: 1 }, wallet)
      return beganAfter ? 'too late' : 'hired'
    } catch (error) {
      return error instanceof ApiError ? error.code : String(error)
    }
  })
  const revoked = revoke(wallet, epoch).then(() => {
    isRevoked = true
  })
  const outcomes = await Promise.all(calls)
  await revoked
  const [agent] = agents
  const again = { agentId: agent?.id ?? '', autoRenew: false, expiresInDays: 1 }
  const after = hireAgent(session, wallet, again, wallet)
  await expect(after).rejects.toMatchObject({ code: 'session_revoked' })
  expect(outcomes.filter((outcome) => outcome !== 'hired' && outcome !== 'session_revoked')).toEqual([])
  const [count] = await query('select count(*) from hires where wallet = $1', wallet)
  expect(Number(count?.[0])).toBe(outcomes.filter((outcome) => outcome === 'hired').length)
})

it('checks the epoch without waiting for locks of the wallet’s row', async () => {
  const wallet = newWallet()
  const epoch = await logIn(wallet)
  const agent = await storeAgent(db, newWallet(), now)
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin')
  try {
    const { rowCount } = await holder.query('select from wallets where address = $1 for update', [wallet])
    expect(rowCount).toBe(1)
    expect(await isOpen(wallet, epoch)).toBe(true)
    const session = {
      db: forSession(db, { wallet, epoch }),
      now,
      notify: () => {},
      schedule: () => {},
      hiresPerAddress: 1_000_000,
    }
    await hireAgent(session, wallet, { agentId: agent.id, autoRenew: false, expiresInDays: 1 }, wallet)
  } finally {
    await holder.end()
  }
})
