import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { refusedPaths, register } from '../support/agents.ts'
import { attestationAccount, putOnChain } from '../support/attestation-accounts.ts'
import { type Answer, type Body, type Call, type Service, startService } from '../support/service.ts'
import { travel } from '../support/staker.ts'

const DAY = 86_400_000
const oracleWallet = createWallet()
/** A trusted issuer's credential account. */
const ISSUER = createWallet().publicKey
const SCHEMA = createWallet().publicKey

let service: Service
let oracle: { call: Call }
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'reputation', 'jobs'],
    bindings: {
      ORACLE_WALLETS: oracleWallet.publicKey,
      ATTESTATION_ISSUERS: `${ISSUER}:${SCHEMA}:certification, `,
    },
    queueRetryDelay: 0,
  })
  oracle = await service.signIn(oracleWallet)
})
afterAll(() => service.stop())

const credential = (changes: Body = {}): Body => ({
  credentialType: 'certification',
  credentialId: crypto.randomUUID(),
  ...changes,
})
const attest = (call: Call, changes: Body = {}) =>
  call('POST', '/reputation/attest/skill', { body: credential(changes) })
const submit = (call: Call, id: unknown, priority?: string) =>
  call('POST', '/reputation/verify', { body: { attestation_id: id, ...(priority ? { priority } : {}) } })
const status = async (id: unknown) =>
  (await service.call('GET', `/reputation/verify?attestation_id=${id}`)).body
const decide = (call: Call, attestationId: unknown, decision = 'verified', reason?: string) =>
  call('POST', '/reputation/oracle/decisions', {
    body: { attestationId, decision, ...(reason ? { reason } : {}) },
  })
const reputation = async (wallet: string) =>
  (await service.call('GET', `/reputation?user_id=${wallet}`)).body as Body & {
    attestations: Body[]
    breakdown: Body
  }

/** Waits for the queue's consumer. */
async function becomes(id: unknown, wanted: string) {
  await expect.poll(async () => (await status(id)).status).toBe(wanted)
}

/** An attested and submitted credential that has reached the oracles. */
async function inReview(call: Call, changes: Body = {}): Promise<string> {
  const { body } = await attest(call, changes)
  await submit(call, body.id)
  await becomes(body.id, 'in_review')
  return String(body.id)
}

/** An account that proves a certification of this wallet, but for the changes. */
const account = (nonce: string, changes: { credential?: string; expiry?: bigint; kind?: number } = {}) =>
  attestationAccount({ nonce, credential: ISSUER, schema: SCHEMA, ...changes })

describe('attesting', () => {
  it('records a credential at the level of its document', async () => {
    const { call, wallet } = await service.signIn()
    const plain = await attest(call)
    expect(plain.status).toBe(201)
    expect(plain.body).toMatchObject({ verificationLevel: 'self_attested', pointsAwarded: 5 })
    const documented = await attest(call, {
      documentUrl: 'https://certs.example.com/1.pdf',
      expiryDate: '2099-12-31',
      issuedDate: '2024-02-29',
      issuingAuthority: 'An authority',
    })
    expect(documented.body).toMatchObject({
      verificationLevel: 'document_submitted',
      pointsAwarded: 15,
      expiresAt: '2100-01-01T00:00:00.000Z',
    })
    const { attestations, breakdown } = await reputation(wallet.publicKey)
    expect(attestations.map(({ id }) => id)).toEqual([documented.body.id, plain.body.id])
    expect(breakdown.skill).toBe(20)
    expect(JSON.stringify(attestations)).not.toContain('certs.example.com')
  })

  it('returns the stored record for the same credential, and 409 for other details', async () => {
    const { call } = await service.signIn()
    const body = credential({ issuedDate: '2025-01-01' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/reputation/attest/skill', { body })),
    )
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    const other = await call('POST', '/reputation/attest/skill', {
      body: { ...body, issuedDate: '2025-01-02' },
    })
    expect(other.body).toMatchObject({ status: 409, code: 'credential_differs' })
    expect(other.body.detail).toContain('issuedDate')
    const stranger = await service.signIn()
    expect((await stranger.call('POST', '/reputation/attest/skill', { body })).status).toBe(201)
  })

  it('rejects impossible, past and over-long details by name', async () => {
    const { call } = await service.signIn()
    const refused = async (changes: Body) => refusedPaths(await attest(call, changes))
    const future = new Date(service.clock.now() + 3 * DAY).toISOString().slice(0, 10)
    const past = new Date(service.clock.now() - 2 * DAY).toISOString().slice(0, 10)
    for (const issuedDate of ['2026-02-30', '2025-13-01', '20250101', 'soon', '2025-1-1', 20250101, future]) {
      expect(await refused({ issuedDate }), String(issuedDate)).toEqual(['issuedDate'])
    }
    expect(await refused({ expiryDate: past })).toEqual(['expiryDate'])
    expect(await refused({ issuedDate: past, expiryDate: '2020-01-01' })).toEqual(['expiryDate'])
    expect(await refused({ documentUrl: 'http://certs.example.com/1.pdf' })).toEqual(['documentUrl'])
    expect(await refused({ documentUrl: 'javascript:alert(1)' })).toEqual(['documentUrl'])
    expect(await refused({ credentialType: '' })).toEqual(['credentialType'])
    expect(await refused({ credentialType: 'x'.repeat(65) })).toEqual(['credentialType'])
    expect(await refused({ credentialId: 'x'.repeat(129) })).toEqual(['credentialId'])
    expect(await refused({ issuingAuthority: 'x'.repeat(129) })).toEqual(['issuingAuthority'])
    expect(await refused({ issued: '2025-01-01' })).toEqual(['issued'])
    const missing = await call('POST', '/reputation/attest/skill', { body: {} })
    expect(refusedPaths(missing)).toEqual(['credentialType', 'credentialId'])
  })
})

describe('verification by an oracle', () => {
  it('goes from pending to in review to verified, and raises the level', async () => {
    const { call, wallet } = await service.signIn()
    const { body } = await attest(call)
    expect(await status(body.id)).toEqual({ attestationId: body.id, status: 'pending' })
    const submitted = await submit(call, body.id)
    expect(submitted.body).toEqual({
      attestationId: body.id,
      status: 'pending',
      priority: 'normal',
      requestedAt: expect.any(String),
    })
    await becomes(body.id, 'in_review')
    expect((await submit(call, body.id)).body).toMatchObject({ status: 'in_review' })
    const decision = await decide(oracle.call, body.id)
    expect(decision.body).toEqual({
      attestationId: body.id,
      status: 'verified',
      verifiedAt: expect.any(String),
      verifiedBy: oracleWallet.publicKey,
    })
    expect(await status(body.id)).toEqual(decision.body)
    const { attestations, breakdown } = await reputation(wallet.publicKey)
    expect(attestations[0]).toMatchObject({ verificationLevel: 'third_party_verified', pointsAwarded: 50 })
    expect(breakdown.skill).toBe(50)
    expect((await submit(call, body.id)).body).toMatchObject({ status: 'verified' })
  })

  it('can be rejected with a reason, and submitted again', async () => {
    const { call } = await service.signIn()
    const id = await inReview(call)
    const rejection = await decide(oracle.call, id, 'rejected', 'Not legible')
    expect(rejection.body).toEqual({ attestationId: id, status: 'rejected', reason: 'Not legible' })
    expect((await submit(call, id)).body).toMatchObject({ status: 'pending' })
    await becomes(id, 'in_review')
    expect((await decide(oracle.call, id)).body).toMatchObject({ status: 'verified' })
  })

  it('is decided by exactly one of twenty concurrent decisions', async () => {
    const { call } = await service.signIn()
    const id = await inReview(call)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => decide(oracle.call, id, i % 2 === 0 ? 'verified' : 'rejected')),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.code === 'not_in_review')).toHaveLength(19)
  })

  it('is enqueued once by twenty concurrent requests', async () => {
    const { call } = await service.signIn()
    const { body } = await attest(call)
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(call, body.id)))
    expect(new Set(answers.map((answer) => answer.body.requestedAt)).size).toBe(1)
    await becomes(body.id, 'in_review')
  })

  it('is forbidden for other wallets, for normal wallets, and for one’s own', async () => {
    const { call } = await service.signIn()
    const stranger = await service.signIn()
    const { body } = await attest(call)
    expect((await submit(stranger.call, body.id)).body).toMatchObject({
      status: 403,
      code: 'attestation_not_yours',
    })
    expect((await submit(call, crypto.randomUUID())).body).toMatchObject({ status: 404 })
    expect(refusedPaths(await submit(call, 'x'))).toEqual(['attestation_id'])
    expect(refusedPaths(await submit(call, body.id, 'urgent'))).toEqual(['priority'])
    expect((await decide(call, body.id)).body).toMatchObject({ status: 403, code: 'permission_missing' })
    expect((await call('GET', '/reputation/oracle/queue')).status).toBe(403)
    expect((await decide(oracle.call, body.id)).body).toMatchObject({ status: 409, code: 'not_in_review' })
    expect((await decide(oracle.call, crypto.randomUUID())).body).toMatchObject({ status: 404 })
    const own = await inReview(oracle.call)
    expect((await decide(oracle.call, own)).body).toMatchObject({ status: 403, code: 'own_attestation' })
    expect((await service.call('GET', '/reputation/verify?attestation_id=x')).status).toBe(400)
  })

  it('lists by the wallet’s payments, then expedited, then oldest, by cursor', async () => {
    const { call, wallet } = await service.signIn()
    const payer = await service.signIn()
    await service.database.engine.execScript(
      `insert into standings (wallet, paid_weight) values ('${payer.wallet.publicKey}', 5)`,
    )
    const ids: Record<string, unknown> = {}
    for (const [name, priority] of [
      ['slow', 'normal'],
      ['fast', 'expedited'],
      ['slower', 'normal'],
      ['faster', 'expedited'],
    ] as const) {
      const { body } = await attest(call)
      ids[name] = body.id
      await submit(call, body.id, priority)
    }
    ids.paid = (await attest(payer.call)).body.id
    await submit(payer.call, ids.paid)
    for (const id of Object.values(ids)) await becomes(id, 'in_review')
    const mine = new Set(Object.values(ids))
    const seen: unknown[] = []
    let path: string | undefined = '/reputation/oracle/queue?limit=2'
    while (path) {
      const page: Answer = await oracle.call('GET', path)
      seen.push(...(page.body.attestations as Body[]).map(({ id }) => id).filter((id) => mine.has(id)))
      const next = page.body.nextCursor
      path = next === undefined ? undefined : `/reputation/oracle/queue?limit=2&cursor=${next}`
    }
    expect(seen).toEqual([ids.paid, ids.fast, ids.faster, ids.slow, ids.slower])
    const ofWallet = await oracle.call('GET', `/reputation/oracle/queue?wallet=${wallet.publicKey}`)
    expect((ofWallet.body.attestations as Body[]).map(({ id }) => id)).toEqual([
      ids.fast,
      ids.faster,
      ids.slow,
      ids.slower,
    ])
    // A wallet that pays while it waits asks again, and moves ahead of the others.
    await service.database.engine.execScript(
      `insert into standings (wallet, paid_weight) values ('${wallet.publicKey}', 9)
       on conflict (wallet) do update set paid_weight = 9`,
    )
    expect((await submit(call, ids.slower)).body).toMatchObject({ status: 'in_review', priority: 'normal' })
    const [first] = (await oracle.call('GET', '/reputation/oracle/queue')).body.attestations as Body[]
    expect(first?.id).toBe(ids.slower)
    expect((await oracle.call('GET', '/reputation/oracle/queue?cursor=x')).status).toBe(400)
  })
})

describe('verification on the chain', () => {
  it('proves a credential by a trusted issuer’s account about this wallet', async () => {
    const { call, wallet } = await service.signIn()
    const expiry = BigInt(Math.floor(service.clock.now() / 1000) + 3600)
    const address = await putOnChain(service, account(wallet.publicKey, { expiry }))
    const { body } = await attest(call, { credentialId: address })
    await submit(call, body.id)
    await becomes(body.id, 'verified')
    expect(await status(body.id)).toMatchObject({ verifiedBy: address })
    const before = await reputation(wallet.publicKey)
    expect(before.attestations[0]).toMatchObject({
      verificationLevel: 'on_chain_proven',
      pointsAwarded: 75,
      expiresAt: new Date(Number(expiry) * 1000).toISOString(),
    })
    expect(before.breakdown.skill).toBe(75)
    await travel(service, Number(expiry) * 1000 - service.clock.now())
    expect((await reputation(wallet.publicKey)).breakdown.skill).toBe(0)
    oracle = await service.signIn(oracleWallet)
  })

  it('leaves everything else to the oracles', async () => {
    const { call, wallet } = await service.signIn()
    const nonce = wallet.publicKey
    const past = BigInt(Math.floor(service.clock.now() / 1000) - 1)
    const accounts = [
      createWallet().publicKey,
      await putOnChain(service, account(nonce, { expiry: -(2n ** 63n) })),
      await putOnChain(service, account(createWallet().publicKey)),
      await putOnChain(service, account(nonce, { credential: createWallet().publicKey })),
      await putOnChain(service, account(nonce, { expiry: past })),
      await putOnChain(service, account(nonce, { expiry: -1n })),
      await putOnChain(service, account(nonce, { kind: 1 })),
      await putOnChain(service, `${account(nonce)}00`),
      await putOnChain(service, account(nonce), { owner: createWallet().publicKey }),
    ]
    await Promise.all(accounts.map((credentialId) => inReview(call, { credentialId })))
    expect((await reputation(nonce)).breakdown.skill).toBe(40)
  })
})

describe('while the chain can’t be reached', () => {
  it('retries a proof by the queue, then by dead letters and the Clock', async () => {
    const { call, wallet } = await service.signIn()
    const address = await putOnChain(service, account(wallet.publicKey))
    const { body } = await attest(call, { credentialId: address })
    const plain = await attest(call)
    const down = () => new Response(null, { status: 502 })
    let calls = 0
    await service.withRpcFault(
      () => {
        calls += 1
        return down()
      },
      async () => {
        await submit(call, body.id)
        // First delivery and five retries.
        await expect.poll(() => calls).toBe(6)
        // A credential that needs no chain is not delayed.
        await submit(call, plain.body.id)
        await becomes(plain.body.id, 'in_review')
        // Its message asks for the proof, too: the fault lasts until the last retry has met it.
        await expect.poll(() => calls).toBe(12)
      },
    )
    expect(await status(body.id)).toMatchObject({ status: 'pending' })
    // A run before the scheduled one: its answer replaces the scheduled time.
    await service.runJobs('jobs')
    expect(await status(body.id)).toMatchObject({ status: 'verified' })
  })
})

describe('a reputation', () => {
  it('has facts for each part, and is 0 for an unknown wallet', async () => {
    const unknown = createWallet().publicKey
    expect(await reputation(unknown)).toEqual({
      userId: unknown,
      score: 0,
      tier: 'Unverified',
      breakdown: { reliability: 0, skill: 0, tenure: 0, social: 0, infrastructure: 0 },
      evidence: {
        reliability: { hirers: 0, payersWeight: 0, satisfiedWeight: 0 },
        skill: { selfAttested: 0, documentSubmitted: 0, thirdPartyVerified: 0, onChainProven: 0 },
        tenure: {},
        social: { counterparties: 0, paidWeight: 0 },
        infrastructure: { layers: 0, paidWeight: 0 },
      },
      attestations: [],
      nextTier: {
        tier: 'Basic',
        score: 100,
        missingScore: 100,
        needsVerifiedAttestation: false,
        payers: 3,
      },
    })
    expect((await service.call('GET', '/reputation')).status).toBe(400)
    expect((await service.call('GET', '/reputation?user_id=x')).status).toBe(400)
  })

  it('counts counterparties on either side, and declared infrastructure layers', async () => {
    let developer = await service.signIn()
    const user = await service.signIn()
    const agent = await register(developer.call, { supportedLayers: [5, 6, 7, 12] })
    const other = await register(developer.call, { supportedLayers: [7, 11] })
    await user.call('POST', '/agents/hire', { body: { agentId: agent.id, expiresInDays: 1 } })
    await user.call('POST', '/agents/hire', { body: { agentId: other.id, expiresInDays: 1 } })
    await developer.call('POST', '/agents/hire', { body: { agentId: agent.id, expiresInDays: 1 } })
    await travel(service, DAY)
    await service.runJobs('jobs')
    developer = await service.signIn(developer.wallet)
    oracle = await service.signIn(oracleWallet)
    const ofDeveloper = await reputation(developer.wallet.publicKey)
    const ofUser = await reputation(user.wallet.publicKey)
    // One counterparty each, unpaid: 200 (1 - e^-0.01).
    expect(ofDeveloper.breakdown).toMatchObject({ reliability: 8, social: 1.99, infrastructure: 15 })
    expect(ofDeveloper.evidence).toMatchObject({
      reliability: { hirers: 1 },
      tenure: { since: expect.any(String) },
      social: { counterparties: 1 },
      infrastructure: { layers: 3 },
    })
    expect(ofUser.breakdown).toMatchObject({ reliability: 0, social: 1.99, infrastructure: 0 })
    await developer.call('PATCH', `/agents/${other.id}`, { body: { status: 'inactive' } })
    expect((await reputation(developer.wallet.publicKey)).breakdown.infrastructure).toBe(10)
  })

  it('needs one round trip', async () => {
    const { wallet } = await service.signIn()
    const { headers } = await service.call('GET', `/reputation?user_id=${wallet.publicKey}`)
    // Not all that reached the database meanwhile: the jobs Worker may still be at work on a message.
    expect(await service.logs.of(headers.get('x-request-id'))).toMatchObject({ subrequests: { sql: 1 } })
  })
})
