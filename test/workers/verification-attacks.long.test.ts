import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { attestationAccount, putOnChain } from '../support/attestation-accounts.ts'
import { logged } from '../support/events.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'
import { travel } from '../support/staker.ts'

const ISSUER = createWallet().publicKey
const SCHEMA = createWallet().publicKey
/** A schema that is set up, by mistake or not, to prove two types. */
const WIDE_SCHEMA = createWallet().publicKey
const oracleWallet = createWallet()

let service: Service
beforeAll(async () => {
  const issuers = [
    `${ISSUER}:${SCHEMA}:certification`,
    `${ISSUER}:${WIDE_SCHEMA}:kyc`,
    `${ISSUER}:${WIDE_SCHEMA}:bank licence`,
  ]
  service = await startService({
    groups: ['auth', 'reputation', 'events', 'jobs'],
    bindings: { ATTESTATION_ISSUERS: issuers.join(', '), ORACLE_WALLETS: oracleWallet.publicKey },
    queueRetryDelay: 0,
  })
})
afterAll(() => service.stop())

const attest = async (call: Call, changes: Body = {}) => {
  const body = { credentialType: 'certification', credentialId: crypto.randomUUID(), ...changes }
  return (await call('POST', '/reputation/attest/skill', { body })).body
}
const submit = (call: Call, id: unknown, priority = 'normal') =>
  call('POST', '/reputation/verify', { body: { attestation_id: id, priority } })
const status = async (id: unknown) =>
  (await service.call('GET', `/reputation/verify?attestation_id=${id}`)).body
const becomes = (id: unknown, wanted: string) =>
  expect.poll(async () => (await status(id)).status).toBe(wanted)
const skill = async (wallet: string) => {
  const { body } = await service.call('GET', `/reputation?user_id=${wallet}`)
  return (body.breakdown as { skill: number }).skill
}
const account = (nonce: string, changes: { schema?: string; expiry?: bigint } = {}) =>
  attestationAccount({ nonce, credential: ISSUER, schema: SCHEMA, ...changes })

/** A wallet with a credential that its account on the chain has proven. */
async function proven(changes: Body = {}, expiry = 0n) {
  const { call, wallet } = await service.signIn()
  const nonce = wallet.publicKey
  const address = await putOnChain(service, account(nonce, { expiry }))
  const { id } = await attest(call, { credentialId: address, ...changes })
  await submit(call, id)
  await becomes(id, 'verified')
  return { call, nonce, address, id: String(id) }
}

describe('an account on the chain', () => {
  it('proves the type that its schema represents, and no other', async () => {
    const { call, wallet } = await service.signIn()
    const credentialId = await putOnChain(service, account(wallet.publicKey))
    const types = ['certification', 'degree', 'licence', 'kyc']
    const ids = []
    for (const credentialType of types) ids.push((await attest(call, { credentialType, credentialId })).id)
    for (const id of ids) await submit(call, id)
    await becomes(ids[0], 'verified')
    for (const id of ids.slice(1)) await becomes(id, 'in_review')
    // 75 for the one, and three that are self-attested.
    expect(await skill(wallet.publicKey)).toBe(90)
  })

  it('proves one attestation, ever, of any number that are asked for at once', async () => {
    const { call, wallet } = await service.signIn()
    const data = account(wallet.publicKey, { schema: WIDE_SCHEMA })
    const credentialId = await putOnChain(service, data)
    const first = await attest(call, { credentialType: 'kyc', credentialId })
    const second = await attest(call, { credentialType: 'bank licence', credentialId })
    await Promise.all([first, second].map(({ id }) => submit(call, id)))
    const statuses = async () => [(await status(first.id)).status, (await status(second.id)).status].sort()
    await expect.poll(statuses).toEqual(['in_review', 'verified'])
    expect(await skill(wallet.publicKey)).toBe(80)
    const set = (await status(first.id)).status === 'in_review' ? first : second
    expect((await status(set.id)).reason).toBe('The account already proves another attestation')
  })

  it('that is gone proves nothing any more; its wallet is notified, may submit again', async () => {
    const { call, nonce, address, id } = await proven({ documentUrl: 'https://example.com/1.pdf' })
    await service.runJob('daily')
    expect(await status(id)).toMatchObject({ status: 'verified' })
    await putOnChain(service, '', { address, owner: '11111111111111111111111111111111' })
    await service.runJob('daily')
    const reason = 'The account on the chain no longer proves it'
    expect(await status(id)).toEqual({ attestationId: id, status: 'rejected', reason })
    expect(await skill(nonce)).toBe(15)
    await service.runJob('daily')
    expect(await logged(call, 1, /^attestation\.revoked$/)).toMatchObject([
      { data: { attestationId: id, verificationLevel: 'document_submitted', decidedBy: address, reason } },
    ])
    await putOnChain(service, account(nonce), { address })
    await submit(call, id)
    await becomes(id, 'verified')
    expect(await skill(nonce)).toBe(75)
  })

  it('proves nothing any more when its owner or schema has changed', async () => {
    const changed = [
      account(createWallet().publicKey),
      attestationAccount({ nonce: oracleWallet.publicKey, credential: ISSUER, schema: SCHEMA }),
    ]
    for (const data of changed) {
      const { address, id } = await proven()
      await putOnChain(service, data, { address })
      await service.runJob('daily')
      expect(await status(id)).toMatchObject({ status: 'rejected' })
    }
    const { address, id, nonce } = await proven()
    await putOnChain(service, account(nonce, { schema: WIDE_SCHEMA }), { address })
    await service.runJob('daily')
    expect(await status(id)).toMatchObject({ status: 'rejected' })
  })

  it('proves nothing any more when it has expired: it counts as before its proof', async () => {
    const expiry = BigInt(Math.floor(service.clock.now() / 1000) + 600)
    const { id, nonce } = await proven({ expiryDate: '9999-12-31' }, expiry)
    await travel(service, 601_000)
    expect(await skill(nonce)).toBe(0)
    await service.runJob('daily')
    expect(await status(id)).toMatchObject({ status: 'rejected' })
    expect(await skill(nonce)).toBe(5)
  })

  it('has no effect on its wallet while the chain does not answer', async () => {
    const { id } = await proven()
    const down = () => new Response(null, { status: 502 })
    await service.withRpcFault(down, () => service.runJob('daily'))
    expect(await status(id)).toMatchObject({ status: 'verified' })
  })
})

describe('one that fails', () => {
  it('for an expiry in the year 12000 delays nobody: it is valid until the year 9999', async () => {
    const { call, wallet } = await service.signIn()
    const far = [316_502_467_200n, 2n ** 63n - 1n]
    const ids = []
    for (const expiry of far) {
      const credentialId = await putOnChain(service, account(wallet.publicKey, { expiry }))
      ids.push((await attest(call, { credentialId })).id)
    }
    for (const id of ids) await submit(call, id, 'expedited')
    const behind = await attest(call)
    await submit(call, behind.id)
    for (const id of ids) await becomes(id, 'verified')
    await becomes(behind.id, 'in_review')
    const { body } = await service.call('GET', `/reputation?user_id=${wallet.publicKey}`)
    const ends = (body.attestations as Body[]).map(({ expiresAt }) => expiresAt)
    expect(ends).toEqual(['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', undefined])
  })

  it('for the size of its account delays nobody: a part is read, and proves nothing', async () => {
    const { call, wallet } = await service.signIn()
    const huge = `${account(wallet.publicKey)}${'00'.repeat(20_000)}`
    const ids: unknown[] = []
    for (let i = 0; i < 5; i += 1)
      ids.push((await attest(call, { credentialId: await putOnChain(service, huge) })).id)
    ids.push((await attest(call, { credentialId: await putOnChain(service, account(wallet.publicKey)) })).id)
    let received = 0
    await service.withRpcFault(
      async (request) => {
        const { params } = (await request.clone().json()) as { params: [string[]] }
        const accounts = params[0].length
        const answer = await (service.solana.outbound(request) as Promise<Response>)
        received = Math.max(received, (await answer.clone().arrayBuffer()).byteLength / accounts)
        return answer
      },
      async () => {
        for (const id of ids) await submit(call, id)
        for (const id of ids.slice(0, 5)) await becomes(id, 'in_review')
        await becomes(ids[5], 'verified')
      },
    )
    expect(received).toBeGreaterThan(0)
    expect(received).toBeLessThan(12_000)
  })

  it('for any reason is set aside with that reason, and the others go on', async () => {
    const { call, wallet } = await service.signIn()
    const credentialIds = []
    for (let i = 0; i < 3; i += 1) credentialIds.push(await putOnChain(service, account(wallet.publicKey)))
    const ids: unknown[] = []
    for (const credentialId of credentialIds) ids.push((await attest(call, { credentialId })).id)
    const poisoned = String(ids[0])
    await service.withFault(
      async (request) => {
        const text = await request.clone().text()
        // The statement that would decide this one, and no other.
        const fails = text.includes(poisoned) && text.includes('on_chain_proven')
        if (!fails) return service.database.handler(request)
        return Response.json({ message: 'out of range', code: '22009' }, { status: 400 })
      },
      async () => {
        for (const id of ids) await submit(call, id)
        await becomes(ids[1], 'verified')
        await becomes(ids[2], 'verified')
        await becomes(poisoned, 'in_review')
      },
    )
    expect((await status(poisoned)).reason).toBe('It could not be checked automatically')
    const oracle = await service.signIn(oracleWallet)
    const { body } = await oracle.call('GET', '/reputation/oracle/queue?limit=100')
    expect(body.attestations).toContainEqual(
      expect.objectContaining({ id: poisoned, reason: 'It could not be checked automatically' }),
    )
  })
})

describe('a request whose message has expired', () => {
  /** Runs what is due by the Clock's alarms until a time. */
  const liveUntil = async (end: number) => {
    for (let at = await service.reachAlarm(); at <= end; at = await service.reachAlarm())
      await service.clock.travelTo(Math.max(at, service.clock.now()))
  }

  it('is taken on the Clock alone, once the chain answers again', async () => {
    await liveUntil(service.clock.now() + 60_000)
    const { call, wallet } = await service.signIn()
    const { id } = await attest(call, { credentialId: await putOnChain(service, account(wallet.publicKey)) })
    const from = service.logs.lines.length
    const deadLetters = () => service.logs.lines.slice(from).some((line) => 'deadLetters' in line)
    await service.withRpcFault(
      () => new Response('down', { status: 500 }),
      async () => {
        await submit(call, id)
        await expect.poll(deadLetters).toBe(true)
      },
    )
    expect(await status(id)).toMatchObject({ status: 'pending' })
    // A minute after the message has expired, and its tolerance.
    const end = service.clock.now() + 3 * 60_000
    await expect.poll(() => service.reachAlarm()).toBeLessThan(end)
    await liveUntil(end)
    expect(await status(id)).toMatchObject({ status: 'verified' })
  })
})

describe('expedited requests', () => {
  it('are three a wallet, in any race; further ones are normal, and say so', async () => {
    const { call } = await service.signIn()
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await attest(call)).id))
    const answers = await Promise.all(ids.map((id) => submit(call, id, 'expedited')))
    const priorities = answers.map(({ body }) => body.priority)
    expect(priorities.filter((priority) => priority === 'expedited')).toHaveLength(3)
    expect(priorities.filter((priority) => priority === 'normal')).toHaveLength(17)
    // Another wallet has its own three.
    const other = await service.signIn()
    expect((await submit(other.call, (await attest(other.call)).id, 'expedited')).body.priority).toBe(
      'expedited',
    )
    // Once one of them is decided, there is room for one.
    const expedited = ids[priorities.indexOf('expedited')]
    await becomes(expedited, 'in_review')
    const oracle = await service.signIn(oracleWallet)
    const body = { attestationId: expedited, decision: 'rejected' }
    await Promise.all(
      Array.from({ length: 5 }, () => oracle.call('POST', '/reputation/oracle/decisions', { body })),
    )
    expect((await submit(call, expedited, 'expedited')).body.priority).toBe('expedited')
    expect((await submit(call, (await attest(call)).id, 'expedited')).body.priority).toBe('normal')
  })
})

describe('a date', () => {
  it('that represents "never" is accepted, and the year 0 is refused', async () => {
    const { call } = await service.signIn()
    const body = { credentialType: 'degree', credentialId: 'forever', expiryDate: '9999-12-31' }
    const forever = await call('POST', '/reputation/attest/skill', { body })
    expect(forever.status).toBe(201)
    expect(forever.body.expiresAt).toBe('9999-12-31T23:59:59.999Z')
    const never = { credentialType: 'degree', credentialId: 'never', issuedDate: '0000-01-01' }
    const answer = await call('POST', '/reputation/attest/skill', { body: never })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'issuedDate' }] })
  })

  it('makes no cursor of the oracles’ queue when it does not exist', async () => {
    const { call } = await service.signIn(oracleWallet)
    const id = crypto.randomUUID()
    for (const time of ['2026-02-31T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-02-31T00:00Z']) {
      const cursor = Buffer.from(JSON.stringify(['normal', time, id])).toString('base64url')
      const { body } = await call('GET', `/reputation/oracle/queue?cursor=${cursor}`)
      expect(body, time).toMatchObject({ status: 400, code: 'invalid_request' })
    }
  })
})
