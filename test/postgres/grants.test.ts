import { beforeAll, describe, expect, it } from 'vitest'
import { deleteOldGrants } from '../../lib/auth/grants/old-grants.ts'
import { endGrant, listGrants, redeemCode, refreshGrant, useKey } from '../../lib/auth/grants/queries.ts'
import {
  GRANT_KEPT_MS,
  GRANT_UNUSED_MS,
  GRANTS_PER_WALLET,
  USE_WRITTEN_MS,
} from '../../lib/auth/grants/rules.ts'
import { revokeSessions } from '../../lib/auth/revoke.ts'
import type { Db } from '../../lib/db/connect.ts'
import { forSession } from '../../lib/db/session.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { consent, newCode, newKeyGrant, storeGrant } from '../support/grants.ts'
import { newWallet } from '../support/stored-agents.ts'

const START = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(START.getTime() + ms)
const DAY = 86_400_000

const database = useDatabase()
let db: Db
beforeAll(() => {
  db = database.db
})

const CLIENT = newCode(newWallet(), START).client
const idsOf = async (wallet: Wallet, now = START) => (await listGrants(db, wallet, now)).map(({ id }) => id)
const refresh = (id: string, sequence: number, now: Date, client = CLIENT) =>
  refreshGrant(db, { id, client, sequence, now })

describe('a consent', () => {
  it('spends its nonce once and records the wallet like a login', async () => {
    const wallet = newWallet()
    const nonce = crypto.randomUUID()
    expect(await consent(db, wallet, START, { nonce })).toEqual({
      outcome: 'recorded',
      epoch: 0,
      toNotify: [],
    })
    expect(await consent(db, wallet, START, { nonce })).toMatchObject({ outcome: 'nonce_spent' })
    expect(
      await database.query('select first_login_at, last_login_at from wallets where address = $1', wallet),
    ).toEqual([{ first_login_at: START, last_login_at: START }])
    expect(await database.query('select expires_at from spent_nonces where nonce = $1', nonce)).toEqual([
      { expires_at: later(600_000) },
    ])
  })

  it('returns the session epoch when sessions were revoked', async () => {
    const wallet = newWallet()
    await revokeSessions({ db: forSession(db, { wallet, epoch: 0 }), now: START })
    expect(await consent(db, wallet, START)).toMatchObject({ outcome: 'recorded', epoch: 1 })
  })

  it('is rejected above the address’s limit of an hour, unless the wallet has paid fees', async () => {
    const counted = { addressHash: crypto.randomUUID(), consentsPerAddress: 2 }
    const outcomeAt = async (now: Date, wallet = newWallet()) =>
      (await consent(db, wallet, now, counted)).outcome
    expect([await outcomeAt(START), await outcomeAt(START), await outcomeAt(START)]).toEqual([
      'recorded',
      'recorded',
      'too_many_consents',
    ])
    const paying = newWallet()
    await database.query('insert into wallet_quotas (wallet, paid_room) values ($1, 20000000)', paying)
    expect(await outcomeAt(START, paying)).toBe('recorded')
    expect(await outcomeAt(START, paying)).toBe('too_many_consents')
    expect(await outcomeAt(later(3_600_000))).toBe('recorded')
  })
})

describe('a code', () => {
  it('is redeemed once, and a second use ends its grant', async () => {
    const wallet = newWallet()
    const { epoch } = await consent(db, wallet, START)
    const code = newCode(wallet, START, { epoch })
    expect((await redeemCode(db, code)).outcome).toBe('redeemed')
    expect(await idsOf(wallet)).toEqual([code.id])
    expect((await redeemCode(db, { ...code, now: later(1_000) })).outcome).toBe('code_used')
    expect(await idsOf(wallet)).toEqual([])
    expect(await refresh(code.id, 0, later(1_000))).toBeUndefined()
    expect((await redeemCode(db, code)).outcome).toBe('code_used')
  })

  it('is rejected when the wallet’s sessions were revoked after the consent', async () => {
    const wallet = newWallet()
    const { epoch } = await consent(db, wallet, START)
    await revokeSessions({ db: forSession(db, { wallet, epoch }), now: START })
    expect((await redeemCode(db, newCode(wallet, START, { epoch }))).outcome).toBe('consent_revoked')
    expect((await redeemCode(db, newCode(newWallet(), START))).outcome).toBe('consent_revoked')
    expect(await idsOf(wallet)).toEqual([])
  })

  it('publishes access.granted to the wallet', async () => {
    const wallet = newWallet()
    await consent(db, wallet, START)
    await database.query('update wallets set listens_until = $2 where address = $1', wallet, later(1))
    const [limited, open] = [
      newCode(wallet, START, { spendLimit: 20_000_000_000n }),
      newCode(wallet, START, { host: undefined, permissions: [] }),
    ]
    expect(await redeemCode(db, limited)).toEqual({ outcome: 'redeemed', toNotify: [wallet] })
    await redeemCode(db, open)
    const published = await database.query(
      'select type, counterparty, agent_id, data from events where wallet = $1 order by seq',
      wallet,
    )
    const about = { wallet, name: 'Yield Desk', expiresAt: '2026-12-21T12:00:00.000Z' }
    const event = { type: 'access.granted', counterparty: null, agent_id: null }
    expect(published).toEqual([
      {
        ...event,
        data: {
          ...about,
          kind: 'app',
          grantId: limited.id,
          host: 'app.example.com',
          permissions: ['agents:hire'],
          spendLimit: 20_000_000_000,
        },
      },
      { ...event, data: { ...about, kind: 'app', grantId: open.id, permissions: [] } },
    ])
  })

  it('ends the least recently used grant when the wallet has 20 active ones', async () => {
    const wallet = newWallet()
    const ids: string[] = []
    for (let i = 0; i < GRANTS_PER_WALLET; i++) ids.push(await storeGrant(db, wallet, later(i)))
    const [first = '', second, third] = ids
    await refresh(first, 0, later(100))
    expect((await idsOf(wallet, later(100))).length).toBe(GRANTS_PER_WALLET)
    const next = await storeGrant(db, wallet, later(200))
    const active = await idsOf(wallet, later(200))
    expect(active).toEqual([next, first, ...ids.slice(2).reverse()])
    expect(active).not.toContain(second)
    // An expired grant does not count.
    const brief = await storeGrant(db, wallet, later(300), { expiresAt: later(301) })
    expect(await idsOf(wallet, later(300))).not.toContain(third)
    await storeGrant(db, wallet, later(400))
    expect(await idsOf(wallet, later(400))).toHaveLength(GRANTS_PER_WALLET)
    expect(await idsOf(wallet, later(400))).not.toContain(brief)
    expect(await idsOf(wallet, later(400))).toContain(ids[3])
  })
})

/** Has a wallet allow a new key. */
async function storeKey(wallet: Wallet, now = START, changes: object = {}) {
  const key = newWallet()
  const grant = newKeyGrant(key, now, changes)
  expect((await consent(db, wallet, now, { grant })).outcome).toBe('recorded')
  return { id: grant.grantId, key }
}

const use = ({ id, key }: { id: string; key: Wallet }, now: Date, nonce: string = crypto.randomUUID()) =>
  useKey(db, { id, publicKey: key, nonce, nonceExpiresAt: new Date(now.getTime() + 1), now })

const usedAt = (id: string) => database.query('select last_used_at from grants where id = $1', id)

describe('a consent with a grant', () => {
  it('records the grant and publishes it, with a nonce that works once', async () => {
    const wallet = newWallet()
    const key = newWallet()
    await consent(db, wallet, START)
    await database.query('update wallets set listens_until = $2 where address = $1', wallet, later(1))
    const grant = newKeyGrant(key, START, { spendLimit: 7n })
    const nonce = crypto.randomUUID()
    expect(await consent(db, wallet, START, { nonce, grant })).toEqual({
      outcome: 'recorded',
      epoch: 0,
      toNotify: [wallet],
    })
    const again = { ...grant, grantId: crypto.randomUUID() }
    expect(await consent(db, wallet, START, { nonce, grant: again })).toMatchObject({
      outcome: 'nonce_spent',
      toNotify: [],
    })
    const token = newKeyGrant(key, START, { kind: 'token', client: 'token', publicKey: undefined })
    await consent(db, wallet, START, { grant: token })
    expect(
      await database.query(
        'select id, kind, client, public_key, host, spend_limit from grants where wallet = $1 order by kind',
        wallet,
      ),
    ).toEqual([
      {
        ...{ id: grant.grantId, kind: 'key', client: `key:${key}`, public_key: key, host: null },
        spend_limit: '7',
      },
      { id: token.grantId, kind: 'token', client: 'token', public_key: null, host: null, spend_limit: null },
    ])
    const about = { wallet, name: 'My agent', expiresAt: '2026-12-21T12:00:00.000Z' }
    const published = 'select type, data from events where wallet = $1 order by seq'
    expect(await database.query(published, wallet)).toEqual([
      {
        type: 'access.granted',
        data: { ...about, kind: 'key', grantId: grant.grantId, permissions: ['agents:hire'], spendLimit: 7 },
      },
      {
        type: 'access.granted',
        data: { ...about, kind: 'token', grantId: token.grantId, permissions: ['agents:hire'] },
      },
    ])
  })

  it('records no grant and ends none when the address has used up its hour', async () => {
    const wallet = newWallet()
    const ids: string[] = []
    for (let i = 0; i < GRANTS_PER_WALLET; i++) ids.push((await storeKey(wallet, later(i))).id)
    const counted = { addressHash: crypto.randomUUID() }
    await consent(db, newWallet(), later(100), counted)
    const grant = newKeyGrant(newWallet(), later(100))
    expect(await consent(db, wallet, later(100), { ...counted, grant })).toEqual({
      outcome: 'too_many_consents',
      epoch: 0,
      toNotify: [],
    })
    expect(await idsOf(wallet, later(100))).toEqual(ids.toReversed())
  })

  it('ends the least recently used grant of any kind when the wallet has 20 active ones', async () => {
    const wallet = newWallet()
    const first = await storeKey(wallet, START)
    const second = await storeGrant(db, wallet, later(1))
    for (let i = 2; i < GRANTS_PER_WALLET; i++) await storeKey(wallet, later(i))
    const { id } = await storeKey(wallet, later(100))
    const active = await idsOf(wallet, later(100))
    expect(active).toHaveLength(GRANTS_PER_WALLET)
    expect([active[0], active.at(-1), active.includes(first.id)]).toEqual([id, second, false])
    expect(await use(first, later(100))).toBe('grant_ended')
  })

  it('is of the epoch after a revocation', async () => {
    const wallet = newWallet()
    const before = await storeKey(wallet)
    await revokeSessions({ db: forSession(db, { wallet, epoch: 0 }), now: START })
    const after = await storeKey(wallet)
    expect(await use(before, later(1))).toBe('grant_ended')
    expect(await use(after, later(1))).toMatchObject({ epoch: 1 })
  })
})

describe('the use of a key', () => {
  it('returns what the token has, once for a nonce', async () => {
    const wallet = newWallet()
    const grant = await storeKey(wallet)
    const nonce = crypto.randomUUID()
    expect(await use(grant, later(1), nonce)).toEqual({
      ...{ wallet, epoch: 0, permissions: ['agents:hire'] },
      expiresAt: later(30 * DAY),
    })
    expect(await use(grant, later(1), nonce)).toBe('nonce_spent')
    expect(await use(await storeKey(wallet), later(1), nonce)).toBe('nonce_spent')
    expect(await database.query('select expires_at from spent_nonces where nonce = $1', nonce)).toEqual([
      { expires_at: later(2) },
    ])
  })

  it('is written once an hour', async () => {
    const grant = await storeKey(newWallet())
    await use(grant, later(USE_WRITTEN_MS))
    expect(await usedAt(grant.id)).toEqual([{ last_used_at: START }])
    await use(grant, later(USE_WRITTEN_MS + 1))
    expect(await usedAt(grant.id)).toEqual([{ last_used_at: later(USE_WRITTEN_MS + 1) }])
    await use(grant, later(USE_WRITTEN_MS + 2))
    expect(await usedAt(grant.id)).toEqual([{ last_used_at: later(USE_WRITTEN_MS + 1) }])
  })

  it('is refused for another key and an unknown grant, and changes nothing', async () => {
    const wallet = newWallet()
    const grant = await storeKey(wallet)
    const nonce = crypto.randomUUID()
    expect(await use({ ...grant, key: newWallet() }, later(1), nonce)).toBe('grant_ended')
    expect(await use({ ...grant, id: crypto.randomUUID() }, later(1), nonce)).toBe('grant_ended')
    const app = await storeGrant(db, wallet, START)
    expect(await use({ ...grant, id: app }, later(1), nonce)).toBe('grant_ended')
    expect(await idsOf(wallet)).toHaveLength(2)
    expect(await use(grant, later(1), nonce)).toMatchObject({ wallet })
  })

  it('ends the grant when the wallet has another session epoch', async () => {
    const wallet = newWallet()
    const grant = await storeKey(wallet)
    const epoch = 'update wallets set session_generation = $2 where address = $1'
    await database.query(epoch, wallet, 1)
    const nonce = crypto.randomUUID()
    expect(await use(grant, later(1), nonce)).toBe('grant_ended')
    await database.query(epoch, wallet, 0)
    expect(await use(grant, later(1), nonce)).toBe('grant_ended')
    expect(await idsOf(wallet, later(1))).toEqual([])
    expect(await database.query('select from spent_nonces where nonce = $1', nonce)).toEqual([])
  })

  it('is refused when the grant has ended, expired, or was unused for 30 days', async () => {
    const wallet = newWallet()
    const ended = await storeKey(wallet)
    await endGrant(db, { id: ended.id, wallet, now: later(1) })
    expect(await use(ended, later(2))).toBe('grant_ended')
    const brief = await storeKey(wallet, START, { endsAt: later(1_000) })
    expect(await use(brief, later(999))).toMatchObject({ wallet })
    expect(await use(brief, later(1_000))).toBe('grant_ended')
    const long = await storeKey(wallet, START, { endsAt: later(90 * DAY) })
    expect(await use(long, later(GRANT_UNUSED_MS - 1))).toMatchObject({ wallet })
    expect(await use(long, later(2 * GRANT_UNUSED_MS - 1))).toBe('grant_ended')
  })
})

describe('a refresh', () => {
  it('advances the sequence, and repeats the answer for a minute', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, START)
    const first = {
      wallet,
      epoch: 0,
      sequence: 1,
      rotatedAt: later(1_000),
      permissions: ['agents:hire'],
      expiresAt: later(30 * DAY),
    }
    expect(await refresh(id, 0, later(1_000))).toEqual(first)
    expect(await refresh(id, 0, later(61_000))).toEqual(first)
    expect(await refresh(id, 1, later(62_000))).toEqual({ ...first, sequence: 2, rotatedAt: later(62_000) })
    expect((await listGrants(db, wallet, later(62_000)))[0]).toMatchObject({ id, lastUsedAt: later(62_000) })
  })

  it.each([
    ['the token before the current one comes after a minute', [0], 0, 61_001],
    ['an older token comes', [0, 1], 0, 2_000],
    ['a token comes that was never issued', [], 1, 1_000],
  ])('ends the grant when %s', async (_title, used, sequence, ms) => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, START)
    for (const one of used) await refresh(id, one, later(1_000))
    expect(await refresh(id, sequence, later(ms))).toBeUndefined()
    expect(await refresh(id, used.length, later(ms))).toBeUndefined()
    expect(await idsOf(wallet, later(ms))).toEqual([])
  })

  it('ends the grant when the wallet has another session epoch', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, START)
    const raise = 'update wallets set session_generation = session_generation + 1 where address = $1'
    await database.query(raise, wallet)
    expect(await refresh(id, 0, later(1_000))).toBeUndefined()
    expect(await idsOf(wallet, later(1_000))).toEqual([])
  })

  it('changes nothing when the token is of another client', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, START)
    expect(await refresh(id, 0, later(1_000), 'https://other.example.com/')).toBeUndefined()
    expect(await refresh(id, 0, later(1_000))).toMatchObject({ sequence: 1 })
  })

  it('is rejected when the grant is unknown, expired, or unused for 30 days', async () => {
    expect(await refresh(crypto.randomUUID(), 0, START)).toBeUndefined()
    const brief = await storeGrant(db, newWallet(), START, { expiresAt: later(1_000) })
    expect(await refresh(brief, 0, later(1_000))).toBeUndefined()
    const long = { expiresAt: later(90 * DAY) }
    const [unused, used] = [
      await storeGrant(db, newWallet(), START, long),
      await storeGrant(db, newWallet(), START, long),
    ]
    expect(await refresh(used, 0, later(GRANT_UNUSED_MS - 1))).toMatchObject({ sequence: 1 })
    expect(await refresh(used, 1, later(GRANT_UNUSED_MS))).toMatchObject({ sequence: 2 })
    expect(await refresh(unused, 0, later(GRANT_UNUSED_MS))).toBeUndefined()
  })
})

describe('the owner', () => {
  it('lists active grants, the last used first', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, START, { spendLimit: 5n })
    const local = await storeGrant(db, wallet, later(1), { host: undefined, name: 'A program' })
    expect(await listGrants(db, wallet, later(2))).toEqual([
      expect.objectContaining({ id: local, name: 'A program', host: null, spendLimit: null }),
      {
        id,
        kind: 'app',
        key: null,
        name: 'Yield Desk',
        host: 'app.example.com',
        permissions: ['agents:hire'],
        spendLimit: 5n,
        committed: 0n,
        createdAt: START,
        lastUsedAt: START,
        expiresAt: later(30 * DAY),
      },
    ])
    expect(await idsOf(wallet, later(30 * DAY + 1))).toEqual([])
    expect(await idsOf(newWallet())).toEqual([])
  })

  it('ends its own grants, also twice', async () => {
    const wallet = newWallet()
    const id = await storeGrant(db, wallet, START)
    const session = forSession(db, { wallet, epoch: 0 })
    expect(await endGrant(db, { id, wallet: newWallet(), now: START })).toBe(false)
    expect(await endGrant(session, { id, wallet, now: later(1) })).toBe(true)
    expect(await endGrant(session, { id, wallet, now: later(2) })).toBe(true)
    expect(await database.query('select ended_at from grants where id = $1', id)).toEqual([
      { ended_at: later(1) },
    ])
    expect(await endGrant(session, { id: crypto.randomUUID(), wallet, now: START })).toBe(false)
  })

  it('ends all grants with all sessions', async () => {
    const wallet = newWallet()
    const other = newWallet()
    await storeGrant(db, wallet, START)
    await storeGrant(db, wallet, START)
    const others = await storeGrant(db, other, START)
    await revokeSessions({ db: forSession(db, { wallet, epoch: 0 }), now: START })
    expect(await idsOf(wallet)).toEqual([])
    expect(await idsOf(other)).toEqual([others])
  })
})

it.each([
  ['a key of another kind', { kind: 'token' as const }],
  ['no key of its kind', { publicKey: undefined }],
])('stores no grant with %s', async (_title, changes) => {
  const grant = newKeyGrant(newWallet(), START, changes)
  await expect(consent(db, newWallet(), START, { grant })).rejects.toMatchObject({
    constraint: 'grants_public_key',
  })
})

it.each([
  ['a permission that nobody can grant', { permissions: ['agents:register'] }, 'grants_permissions'],
  ['a longer name', { name: 'x'.repeat(61) }, 'grants_name'],
  ['a longer host', { host: 'x'.repeat(256) }, 'grants_host'],
  ['a negative limit', { spendLimit: -1n }, 'grants_spend_limit'],
])('stores no grant with %s', async (_title, changes, constraint) => {
  const wallet = newWallet()
  await consent(db, wallet, START)
  const attempt = redeemCode(db, newCode(wallet, START, changes as never))
  await expect(attempt).rejects.toMatchObject({ constraint })
})

it('deletes grants a day after they ended, expired or were no longer used', async () => {
  // Those of other tests.
  await deleteOldGrants({ db, now: later(365 * DAY), elapsed: () => 0 })
  const wallet = newWallet()
  const long = { expiresAt: later(90 * DAY) }
  const ended = await storeGrant(db, wallet, START, long)
  await endGrant(db, { id: ended, wallet, now: later(1) })
  const expired = await storeGrant(db, wallet, START, { expiresAt: later(2) })
  const unused = await storeGrant(db, wallet, START, long)
  const used = await storeGrant(db, wallet, START, long)
  await refresh(used, 0, later(DAY))
  let counted = 4
  const left = async (now: Date) => {
    const { deleted, more } = await deleteOldGrants({ db, now, elapsed: () => 0 })
    expect(more).toBe(false)
    const rows = await database.query('select id from grants where wallet = $1', wallet)
    expect(deleted).toBe(counted - rows.length)
    counted = rows.length
    return [ended, expired, unused, used].map((id) => rows.some((row) => row.id === id))
  }
  expect(await left(later(GRANT_KEPT_MS + 1))).toEqual([true, true, true, true])
  expect(await left(later(GRANT_KEPT_MS + 2))).toEqual([false, true, true, true])
  expect(await left(later(GRANT_KEPT_MS + 3))).toEqual([false, false, true, true])
  expect(await left(later(GRANT_UNUSED_MS + GRANT_KEPT_MS))).toEqual([false, false, true, true])
  expect(await left(later(GRANT_UNUSED_MS + GRANT_KEPT_MS + 1))).toEqual([false, false, false, true])
})

it.each([
  ['ended', `'2026-05-01'`, 'null'],
  ['unused', `'2026-01-01'`, `'2027-01-01'`],
])('says that more is left when it deletes %s grants out of time', async (_, lastUsed, expires) => {
  const now = new Date('2026-05-03T00:00:00.000Z')
  await deleteOldGrants({ db, now, elapsed: () => 0 })
  await database.query(
    `insert into grants (id, wallet, session_generation, kind, client, name, permissions, rotated_at, created_at, last_used_at, expires_at)
     select gen_random_uuid(), 'many' || n, 0, 'app', 'client', 'Program', '{}', ${lastUsed}, ${lastUsed}, ${lastUsed},
       coalesce(${expires}, ${lastUsed})::timestamptz from generate_series(1, 10001) as n`,
  )
  let statements = 0
  // The time of a step is over after one statement, which deletes 10,000 rows.
  const deleted = () => deleteOldGrants({ db, now, elapsed: () => 20_000 * statements++ })
  expect(await deleted()).toEqual({ deleted: 10_000, more: true })
  expect(await deleted()).toEqual({ deleted: 1, more: false })
})

it('is checked by assert_session only when a session has one', async () => {
  const [wallet, other] = [newWallet(), newWallet()]
  const id = await storeGrant(db, wallet, START)
  const isOpen = (...session: unknown[]) =>
    database.query(`select ${API_SCHEMA}.assert_session($1, $2, $3)`, ...session).then(
      () => true,
      ({ code }) => code,
    )
  expect(await isOpen(wallet, 0, id)).toBe(true)
  expect(await isOpen(wallet, 0, null)).toBe(true)
  expect(await isOpen(wallet, 1, id)).toBe('AC401')
  expect(await isOpen(other, 0, id)).toBe('AC401')
  expect(await isOpen(wallet, 0, crypto.randomUUID())).toBe('AC401')
  await endGrant(db, { id, wallet, now: START })
  expect(await isOpen(wallet, 0, id)).toBe('AC401')
  expect(await isOpen(wallet, 0, null)).toBe(true)
  expect(await isOpen(null, null, null)).toBe(true)
})
