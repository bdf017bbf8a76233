import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { moveToReview } from '../../lib/reputation/attestations/queue-queries.ts'
import { recheckProofs } from '../../lib/reputation/attestations/recheck.ts'
import { reviewPending } from '../../lib/reputation/attestations/review.ts'
import { submitForVerification } from '../../lib/reputation/attestations/verify.ts'
import { findAttestation } from '../../lib/reputation/queries.ts'
import type { Address } from '../../lib/solana/address.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import { attestations } from '../../schema/tables/attestations.ts'
import { reputationTotals } from '../../schema/tables/counterparties.ts'
import { events } from '../../schema/tables/events.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { attestationAccount } from '../support/attestation-accounts.ts'
import { storeAttestation } from '../support/attestations.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { newWallet } from '../support/stored-agents.ts'

const START = Date.UTC(2026, 10, 20)
const NOW = new Date(START)
const PROGRAM = '22zoJMtdu4tQc2PzL74ZUT7FrwgB1Udec8DdW4yw4BdG' as Address
const issuer = newWallet() as string as Address
const schema = newWallet() as string as Address
const types = ['kyc', 'degree', 'licence', 'certification']
const trustedProofs = types.map((credentialType) => ({ issuer, schema, credentialType }))

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
beforeEach(() => db.delete(attestations))
afterAll(() => close())

const attest = async (wallet: Wallet, credentialId: string, credentialType = 'kyc') => {
  const id = crypto.randomUUID()
  const level = { verificationLevel: 'self_attested' as const, createdAt: NOW }
  await storeAttestation(db, { id, wallet, credentialType, credentialId, ...level })
  return id
}
const submit = (wallet: Wallet, id: string, priority: 'normal' | 'expedited' = 'normal') =>
  submitForVerification(
    { db, now: NOW, requestReview: () => {}, expeditedPerAddress: 1_000_000 },
    wallet,
    { attestation_id: id, priority },
    'anybody',
  )
const open = async (wallet: Wallet) => {
  const [row] = await db.select().from(reputationTotals).where(eq(reputationTotals.wallet, wallet))
  return row?.openExpedited ?? 0
}

/** A chain of these accounts at a slot, which refuses what asks for a later one. */
function chain(accounts: Map<string, Wallet>, slot = 100n) {
  const asked: string[][] = []
  const read: Rpc['accounts'] = async (addresses, limits) => {
    asked.push(addresses)
    if ((limits?.minSlot ?? 0n) > slot) throw new Error('the node is behind')
    const found = addresses.map((address) => {
      const nonce = accounts.get(address)
      if (nonce === undefined) return undefined
      const data = attestationAccount({ nonce, credential: issuer, schema })
      return { owner: PROGRAM, lamports: 1n, data: new Uint8Array(Buffer.from(data, 'hex')) }
    })
    return { slot, accounts: found }
  }
  return { rpc: { accounts: read } as Rpc, asked }
}
const deps = (rpc: Rpc, now = NOW) => ({
  ...{ db, rpc, trustedProofs, now },
  notify: () => {},
  elapsed: () => 0,
})

describe('expedited requests', () => {
  it('are at most three open per wallet, and one more after each decision', async () => {
    const wallet = newWallet()
    const ids = await Promise.all(Array.from({ length: 30 }, (_, i) => attest(wallet, `credential ${i}`)))
    const rows = await Promise.all(ids.map((id) => submit(wallet, id, 'expedited')))
    const taken = rows.filter((row) => row.priority === 'expedited').map((row) => row.id)
    expect(taken).toHaveLength(3)
    expect(await open(wallet)).toBe(3)
    // Asking again enqueues no second request.
    await Promise.all(taken.flatMap((id) => [submit(wallet, id, 'expedited'), submit(wallet, id)]))
    expect(await open(wallet)).toBe(3)
    for (const id of ids) await moveToReview(db, id)
    const oracle = newWallet()
    const decision = { from: 'in_review', status: 'rejected', by: oracle, now: NOW }
    await Promise.all(
      ids.flatMap((id) => [1, 2].map(() => postgres.decideAttestation.call(db, { id, ...decision }))),
    )
    expect(await open(wallet)).toBe(0)
    // All thirty were rejected, and are submitted again at once.
    const again = await Promise.all(ids.map((id) => submit(wallet, id, 'expedited')))
    expect(again.filter((row) => row.priority === 'expedited')).toHaveLength(3)
  })

  it('for another wallet’s attestation do not count', async () => {
    const [owner, stranger] = [newWallet(), newWallet()]
    const id = await attest(owner, 'a credential')
    await expect(submit(stranger, id, 'expedited')).rejects.toMatchObject({ code: 'attestation_not_yours' })
    expect([await open(owner), await open(stranger)]).toEqual([0, 0])
  })
})

describe('a proof', () => {
  it('proves one of several attestations reviewed concurrently', async () => {
    const wallet = newWallet()
    const account = newWallet() as string
    const ids = await Promise.all(types.map((type) => attest(wallet, account, type)))
    for (const id of ids) await submit(wallet, id)
    const { rpc } = chain(new Map([[account, wallet]]))
    await Promise.all([1, 2, 3].map(() => reviewPending(deps(rpc))))
    const rows = await Promise.all(ids.map((id) => findAttestation(db, id)))
    expect(rows.map((row) => row?.status).sort()).toEqual(['in_review', 'in_review', 'in_review', 'verified'])
  })

  it('is revoked once, with one event, by concurrent job runs', async () => {
    const wallet = newWallet()
    const account = newWallet() as string
    const id = await attest(wallet, account)
    await submit(wallet, id)
    await reviewPending(deps(chain(new Map([[account, wallet]])).rpc))
    const read = await findAttestation(db, id)
    await Promise.all([1, 2, 3, 4].map(() => recheckProofs(deps(chain(new Map()).rpc))))
    expect(await findAttestation(db, id)).toMatchObject({
      status: 'rejected',
      verificationLevel: 'self_attested',
      proofAccount: account,
    })
    const published = await db
      .select()
      .from(events)
      .where(eq(events.wallet, wallet))
      .orderBy(asc(events.xid), asc(events.seq))
    expect(published.map(({ type }) => type)).toEqual(['attestation.verified', 'attestation.revoked'])
    // Proven again: an older run's read does not undo that.
    await submit(wallet, id)
    await reviewPending(deps(chain(new Map([[account, wallet]]), 200n).rpc))
    const stale = { id, slot: read?.proofSlot ?? null, level: 'self_attested' as const, expiresAt: null }
    expect(await postgres.revokeProof.call(db, { ...stale, reason: 'stale', now: NOW })).toMatchObject({
      outcome: 'another_proof',
    })
    expect(await findAttestation(db, id)).toMatchObject({ status: 'verified' })
  })

  it('is not revoked by a node behind the last checked slot', async () => {
    const wallet = newWallet()
    const account = newWallet() as string
    const id = await attest(wallet, account)
    await submit(wallet, id)
    await reviewPending(deps(chain(new Map([[account, wallet]])).rpc))
    await expect(recheckProofs(deps(chain(new Map(), 99n).rpc))).rejects.toThrow('behind')
    expect(await findAttestation(db, id)).toMatchObject({ status: 'verified' })
  })

  it('is checked again in calls of a hundred, oldest check first', async () => {
    const wallet = newWallet()
    const accounts = new Map<string, Wallet>()
    for (let i = 0; i < 250; i += 1) accounts.set(newWallet(), wallet)
    const rows = [...accounts.keys()].map((account, i) => ({
      id: crypto.randomUUID(),
      wallet,
      credentialType: 'kyc',
      credentialId: account,
      verificationLevel: 'on_chain_proven' as const,
      createdAt: NOW,
      status: 'verified' as const,
      proofAccount: account,
      proofCheckedAt: new Date(START - 1_000_000 + i),
      proofSlot: 1n,
    }))
    await db.insert(attestations).values(rows)
    const { rpc, asked } = chain(accounts)
    for (let round = 1; round <= 5; round += 1)
      await recheckProofs(deps(rpc, new Date(START + round * 600_000)))
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 100, 100, 100])
    const seen = asked.flat()
    const names = [...accounts.keys()]
    expect(seen.slice(0, 200)).toEqual(names.slice(0, 200))
    expect(new Set(seen.slice(0, 300)).size).toBe(250)
    expect(new Set(seen.slice(200)).size).toBe(250)
  })
})
