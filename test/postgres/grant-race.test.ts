import { beforeAll, describe, expect, it, vi } from 'vitest'
import { hireAgent } from '../../lib/agents/hiring/hire.ts'
import { endGrant, listGrants, redeemCode, refreshGrant, useKey } from '../../lib/auth/grants/queries.ts'
import { GRANTS_PER_WALLET } from '../../lib/auth/grants/rules.ts'
import { revokeSessions } from '../../lib/auth/revoke.ts'
import { databaseAnswers } from '../../lib/db/answers.ts'
import type { Db } from '../../lib/db/connect.ts'
import { forSession } from '../../lib/db/session.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { consent, newCode, newKeyGrant, storeGrant } from '../support/grants.ts'
import { whileLocked } from '../support/locks.ts'
import { endHire, newWallet, storeAgent } from '../support/stored-agents.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)

const database = useDatabase()
let db: Db
beforeAll(() => {
  db = database.db
})

const LOCK_WALLET = 'select from wallets where address = $1 for update'
const LOCK_GRANT = 'select from grants where id = $1 for update'
const range = (length: number) => Array.from({ length }, (_, i) => i)
const revoke = (wallet: Wallet, epoch = 0) =>
  revokeSessions({ db: forSession(db, { wallet, epoch }), now: later(1) })
const activeOf = async (wallet: Wallet) => (await listGrants(db, wallet, later(2))).map(({ id }) => id)

describe('concurrent calls', () => {
  it('redeem a code once, and end its grant when they are five', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const code = newCode(wallet, now)
    const answers = await whileLocked({ url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 5 }, () =>
      Promise.all(range(5).map(() => redeemCode(db, code))),
    )
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...range(4).map(() => 'code_used'),
      'redeemed',
    ])
    expect(await activeOf(wallet)).toEqual([])
    expect(await refreshGrant(db, { ...code, sequence: 0 })).toBeUndefined()
  })

  it('get the same next refresh token when they are three', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, now)
    const { client } = newCode(wallet, now)
    const answers = await whileLocked({ url: database.url, lock: LOCK_GRANT, id, waiting: 3 }, () =>
      Promise.all([30, 10, 20].map((ms) => refreshGrant(db, { id, client, sequence: 0, now: later(ms) }))),
    )
    const [first] = answers
    expect(first).toMatchObject({ sequence: 1, wallet, epoch: 0 })
    expect(answers).toEqual([first, first, first])
    expect(await activeOf(wallet)).toEqual([id])
  })

  it('leave no active grant when a code is redeemed during a revocation', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const code = newCode(wallet, now)
    const [{ outcome }] = await whileLocked(
      { url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 2 },
      () => Promise.all([redeemCode(db, code), revoke(wallet)]),
    )
    expect(['redeemed', 'consent_revoked']).toContain(outcome)
    expect(await activeOf(wallet)).toEqual([])
    expect(await refreshGrant(db, { ...code, sequence: 0 })).toBeUndefined()
  })

  it('redeem no code when it waits for a revocation', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const { outcome } = await whileLocked(
      {
        ...{ url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 1 },
        change: 'update wallets set session_generation = session_generation + 1 where address = $1',
      },
      () => redeemCode(db, newCode(wallet, now)),
    )
    expect(outcome).toBe('consent_revoked')
    expect(await activeOf(wallet)).toEqual([])
  })

  it('end the grant of a code that is redeemed while a revocation waits', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const redeemed = `insert into grants (id, wallet, session_generation, kind, client, name, permissions,
        rotated_at, created_at, last_used_at, expires_at)
      select gen_random_uuid(), $1, 0, 'app', 'client', 'name', '{}', now, now, now, now + interval '1 day'
      from (select timestamptz '2026-11-21T12:00:00Z') as time (now)`
    await whileLocked(
      { url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 1, change: redeemed },
      () => revoke(wallet),
    )
    const rows = await database.query('select ended_at from grants where wallet = $1', wallet)
    expect(rows).toEqual([{ ended_at: later(1) }])
  })

  it('end no grant of a later epoch when a revocation comes too late', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const changed = 'update wallets set session_generation = session_generation + 1 where address = $1'
    await whileLocked({ url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 1, change: changed }, () =>
      revoke(wallet),
    )
    const id = await storeGrant(db, wallet, now)
    await expect(revoke(wallet)).rejects.toMatchObject({ code: 'session_revoked' })
    expect(await activeOf(wallet)).toEqual([id])
  })

  it('leave at most 20 active grants of a wallet', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const outcomes = await Promise.all(range(30).map(() => redeemCode(db, newCode(wallet, now))))
    expect(outcomes.every(({ outcome }) => outcome === 'redeemed')).toBe(true)
    const active = 'select count(*)::integer as active from grants where wallet = $1 and ended_at is null'
    expect(await database.query(active, wallet)).toEqual([{ active: GRANTS_PER_WALLET }])
  })
})

describe('concurrent consents with a grant', () => {
  it('record one when five have the same nonce', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const nonce = crypto.randomUUID()
    const answers = await whileLocked({ url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 5 }, () =>
      Promise.all(
        range(5).map(() => consent(db, wallet, now, { nonce, grant: newKeyGrant(newWallet(), now) })),
      ),
    )
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...range(4).map(() => 'nonce_spent'),
      'recorded',
    ])
    expect(await activeOf(wallet)).toHaveLength(1)
  })

  it('leave at most 20 active grants of a wallet, with codes', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    await Promise.all(
      range(30).map((i) =>
        i % 2 === 0
          ? redeemCode(db, newCode(wallet, now))
          : consent(db, wallet, now, { grant: newKeyGrant(newWallet(), now) }),
      ),
    )
    expect(await activeOf(wallet)).toHaveLength(GRANTS_PER_WALLET)
  })

  it('leave no active grant of an earlier epoch when they wait with a revocation', async () => {
    const wallet = newWallet()
    await consent(db, wallet, now)
    const grant = newKeyGrant(newWallet(), now)
    const [{ epoch }] = await whileLocked(
      { url: database.url, lock: LOCK_WALLET, id: wallet, waiting: 2 },
      () => Promise.all([consent(db, wallet, now, { grant }), revoke(wallet)]),
    )
    expect(await activeOf(wallet)).toEqual(epoch === 0 ? [] : [grant.grantId])
  })

  it('count after they wait for the hire of a grant that they end, without a deadlock', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, now)
    for (let i = 1; i < GRANTS_PER_WALLET; i++) await storeGrant(db, wallet, later(i))
    await database.query('insert into wallet_quotas (wallet, paid_room) values ($1, 20000000)', wallet)
    const counted = { addressHash: crypto.randomUUID() }
    await consent(db, newWallet(), now, counted)
    // A statement that a deadlock ends is sent again.
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { outcome } = await whileLocked(
      {
        ...{ url: database.url, lock: LOCK_GRANT, id, waiting: 1 },
        // A hire locks its grant, then counts by its wallet.
        change:
          'update wallet_quotas set paid_room = paid_room where wallet = (select wallet from grants where id = $1)',
      },
      () => consent(db, wallet, later(100), { ...counted, grant: newKeyGrant(newWallet(), now) }),
    )
    expect(outcome).toBe('recorded')
    expect(fetched).toHaveBeenCalledTimes(1)
    fetched.mockRestore()
    const ended = await database.query('select ended_at from grants where id = $1', id)
    expect(ended).toEqual([{ ended_at: later(100) }])
  })
})

describe('concurrent uses of a key', () => {
  const storeKey = async (wallet: Wallet) => {
    const grant = newKeyGrant(newWallet(), now)
    await consent(db, wallet, now, { grant })
    return { id: grant.grantId, publicKey: grant.publicKey ?? '' }
  }
  const useNow = (key: { id: string; publicKey: string }, nonce: string = crypto.randomUUID()) =>
    useKey(db, { ...key, nonce, nonceExpiresAt: later(1), now })

  it('issue one token when five have the same nonce', async () => {
    const wallet = newWallet()
    const key = await storeKey(wallet)
    const nonce = crypto.randomUUID()
    const answers = await whileLocked({ url: database.url, lock: LOCK_GRANT, id: key.id, waiting: 5 }, () =>
      Promise.all(range(5).map(() => useNow(key, nonce))),
    )
    expect(answers.filter((answer) => answer === 'nonce_spent')).toHaveLength(4)
    expect(answers.filter((answer) => typeof answer === 'object')).toMatchObject([{ wallet }])
  })

  it('issue none when they wait for the end of the grant', async () => {
    const key = await storeKey(newWallet())
    const answer = await whileLocked(
      {
        ...{ url: database.url, lock: LOCK_GRANT, id: key.id, waiting: 1 },
        change: 'update grants set ended_at = last_used_at where id = $1',
      },
      () => useNow(key),
    )
    expect(answer).toBe('grant_ended')
  })
})

describe('a hire by a grant', () => {
  const hireDeps = (db: Db) => ({
    db,
    now: later(1),
    notify: () => {},
    schedule: () => {},
    hiresPerAddress: 1_000_000,
  })
  const newAgent = async () => (await storeAgent(db, newWallet(), now)).id
  const hire = async (
    { wallet, grant }: { wallet: Wallet; grant: string },
    changes: { budgetLimit?: bigint; autoRenew?: boolean; agentId?: string } = {},
  ) => {
    const agentId = changes.agentId ?? (await newAgent())
    const session = forSession(db, { wallet, epoch: 0, grant })
    const wanted = { autoRenew: false, expiresInDays: 1, ...changes, agentId } as never
    return hireAgent(hireDeps(session), wallet, wanted, wallet, grant).then(
      ({ hire }) => ({ id: hire.id, code: 'hired' }),
      ({ code, details }) => ({ code, ...details }),
    )
  }
  const granted = async (spendLimit?: bigint) => {
    const wallet = newWallet()
    return { wallet, grant: await storeGrant(db, wallet, now, { spendLimit }) }
  }
  const committedOf = async ({ wallet }: { wallet: Wallet }) =>
    (await listGrants(db, wallet, later(1)))[0]?.committed

  it('needs a budget without renewal when the grant has a limit', async () => {
    const session = await granted(100n)
    expect(await hire(session)).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'budgetLimit' }],
    })
    expect(await hire(session, { budgetLimit: 1n, autoRenew: true })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'autoRenew' }],
    })
    expect(await committedOf(session)).toBe(0n)
  })

  it('needs no budget when the grant has no limit', async () => {
    const session = await granted()
    expect(await hire(session, { autoRenew: true })).toMatchObject({ code: 'hired' })
    expect(await committedOf(session)).toBe(0n)
  })

  it('counts against the limit for good, also when the hire has ended', async () => {
    const session = await granted(100n)
    const { id = '' } = await hire(session, { budgetLimit: 60n })
    await endHire(db, { id, wallet: session.wallet, now: later(2) })
    expect(await hire(session, { budgetLimit: 41n })).toMatchObject({
      code: 'spend_limit_exceeded',
      remaining: 40n,
    })
    expect(await hire(session, { budgetLimit: 40n })).toMatchObject({ code: 'hired' })
    expect(await committedOf(session)).toBe(100n)
    expect(await hire(session, { budgetLimit: 9_223_372_036_854_775_807n })).toMatchObject({ remaining: 0n })
  })

  it('counts nothing when the hire is rejected for another reason', async () => {
    const session = await granted(100n)
    const agentId = await newAgent()
    expect(await hire(session, { budgetLimit: 10n, agentId })).toMatchObject({ code: 'hired' })
    expect(await hire(session, { budgetLimit: 10n, agentId })).toMatchObject({ code: 'already_hired' })
    expect(await committedOf(session)).toBe(10n)
  })

  it('exceeds the limit by none of two at once', async () => {
    const session = await granted(100n)
    const agents = [await newAgent(), await newAgent()]
    const hires = await whileLocked(
      { url: database.url, lock: LOCK_GRANT, id: session.grant, waiting: 2 },
      () => Promise.all(agents.map((agentId) => hire(session, { budgetLimit: 60n, agentId }))),
    )
    expect(hires.map(({ code }) => code).toSorted()).toEqual(['hired', 'spend_limit_exceeded'])
    expect(hires.find(({ code }) => code !== 'hired')).toMatchObject({ remaining: 40n })
    expect(await committedOf(session)).toBe(60n)
  })

  it('is rejected when the grant ends while it waits', async () => {
    const session = await granted(100n)
    const agentId = await newAgent()
    const outcome = await whileLocked(
      {
        ...{ url: database.url, lock: LOCK_GRANT, id: session.grant, waiting: 1 },
        change: 'update grants set ended_at = last_used_at where id = $1',
      },
      () => hire(session, { budgetLimit: 1n, agentId }),
    )
    expect(outcome).toMatchObject({ code: 'session_revoked' })
    expect(await database.query('select from hires where wallet = $1', session.wallet)).toEqual([])
  })

  it('is rejected when the grant is of another wallet or has expired', async () => {
    const { grant } = await granted()
    const wallet = newWallet()
    const agentId = await newAgent()
    const wanted = { agentId, autoRenew: false, expiresInDays: 1 }
    const refused = { code: 'session_revoked' }
    await expect(hireAgent(hireDeps(db), wallet, wanted, wallet, grant)).rejects.toMatchObject(refused)
    const expired = await storeGrant(db, wallet, now, { expiresAt: later(1) })
    await expect(hireAgent(hireDeps(db), wallet, wanted, wallet, expired)).rejects.toMatchObject(refused)
  })
})

describe('a session with a grant', () => {
  it('is rejected in the round trip of each statement when its grant has ended', async () => {
    const wallet = newWallet()
    const grant = await storeGrant(db, wallet, now)
    const session = forSession(db, { wallet, epoch: 0, grant })
    const fetched = vi.spyOn(globalThis, 'fetch')
    const end = () => endGrant(session, { id: grant, wallet, now })
    expect([await databaseAnswers(session), await end()]).toEqual([true, true])
    expect(await databaseAnswers(session)).toBe(false)
    await expect(end()).rejects.toMatchObject({ code: 'session_revoked' })
    expect(fetched).toHaveBeenCalledTimes(4)
    fetched.mockRestore()
    expect(await databaseAnswers(forSession(db, { wallet, epoch: 0 }))).toBe(true)
  })

  it('waits for no lock of the grant', async () => {
    const wallet = newWallet()
    const grant = await storeGrant(db, wallet, now)
    const session = forSession(db, { wallet, epoch: 0, grant })
    const answers = await whileLocked({ url: database.url, lock: LOCK_GRANT, id: grant }, () =>
      databaseAnswers(session),
    )
    expect(answers).toBe(true)
  })
})
