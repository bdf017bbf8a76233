import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { eventsOf, type LoggedEvent, untilLogged } from '../support/events.ts'
import { openInvites } from '../support/invites.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, travel } from '../support/staker.ts'
import { eventually, openInbox } from '../support/webhooks.ts'

const oracle = createWallet()
let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'vault', 'reputation', 'pioneer', 'events', 'jobs', 'settlement'],
    bindings: { ORACLE_WALLETS: oracle.publicKey },
  })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

describe('events are in the logs of the wallets that they concern', () => {
  it('agents: the owner’s', async () => {
    const owner = await service.signIn()
    const agent = await register(owner.call, { feeAmount: 700 })
    const status = { status: 'inactive' }
    await owner.call('PATCH', `/agents/${agent.id}`, { body: status })
    await owner.call('PATCH', `/agents/${agent.id}`, { body: status })
    await owner.call('PATCH', `/agents/${agent.id}`, { body: { logoUrl: null } })
    const [registered, changed] = await untilLogged(owner.call, 'agent.registered', 'agent.status_changed')
    expect(registered).toMatchObject({
      timestamp: agent.registeredAt,
      data: {
        agentId: agent.id,
        name: 'Test agent',
        agentType: 'autonomous',
        supportedLayers: [1, 10, 17],
        feeModel: 'percentage',
        feeAmount: 700,
        status: 'active',
      },
    })
    const about = { agentId: agent.id, agentName: agent.name }
    expect(changed?.data).toEqual({ ...about, status: 'inactive', previousStatus: 'active' })
  })

  it('name their agent as it is registered, in whatever characters', async () => {
    const owner = await inbox.createAgent(undefined, { name: '"}],\\n\u2028{€ 日本' })
    const { name } = owner.agent
    const hirer = await owner.hire()
    const [created] = await untilLogged(hirer.call, 'hire.created')
    expect(created?.data.agentName).toBe(name)
    const received = await inbox.until(owner.url, 2)
    expect(received.map(({ body }) => body)).toContainEqual(created)
    expect(name).toContain('"}]')
  })

  it('hires: both sides’, once if they are one wallet', async () => {
    const owner = await inbox.createAgent()
    const hirer = await owner.hire()
    await hirer.call('DELETE', `/agents/hire?id=${hirer.hire.id}`)
    await hirer.call('DELETE', `/agents/hire?id=${hirer.hire.id}`)
    const [created, terminated] = await untilLogged(hirer.call, 'hire.created', 'hire.terminated')
    expect(terminated?.data).toMatchObject({ status: 'terminated', endedAt: terminated?.timestamp })
    const { call } = await service.signIn(owner.wallet)
    const [, first, second] = await untilLogged(call, 'agent.registered', 'hire.created', 'hire.terminated')
    expect([first, second]).toEqual([created, terminated])
    const received = await inbox.until(owner.url, 3)
    expect(received.map(({ body }) => body)).toEqual(
      expect.arrayContaining([created, terminated].map((event) => ({ ...event }))),
    )

    const alone = await service.signIn()
    const own = await register(alone.call)
    await alone.call('POST', '/agents/hire', { body: { agentId: own.id } })
    await untilLogged(alone.call, 'agent.registered', 'hire.created')
  })

  it('the vault: its owner’s, one event for a claim of several positions, exactly', async () => {
    const staker = await createStaker(service)
    await staker.relay(await staker.stack(ONE, 7))
    await staker.relay(await staker.stack(3 * ONE, 30))
    await staker.vault()
    await travel(service, 3 * DAY)
    await staker.signInAgain()
    const claim = await staker.claim()
    await staker.relay(claim)
    await staker.vault()
    await travel(service, 5 * DAY)
    await staker.signInAgain()
    await staker.relay(await staker.unstack(0))
    await staker.vault()
    const opened = 'vault.position_opened'
    const [first, second, claimed, closed] = await untilLogged(
      staker.call,
      opened,
      opened,
      'vault.yield_claimed',
      'vault.position_closed',
    )
    const vault = await staker.vault()
    expect(first?.data).toMatchObject({
      owner: staker.owner,
      positionId: 0,
      amount: ONE,
      lockDays: 7,
      apyBps: 800,
    })
    const { positions } = vault.body as { positions: Body[] }
    expect(second?.data).toMatchObject({
      positionId: 1,
      address: positions[0]?.address,
      stakedAt: positions[0]?.stakedAt,
      unlocksAt: positions[0]?.unlocksAt,
    })
    const paid = claimed?.data as { amount: number; transactionId: string; positions: { amount: number }[] }
    expect(paid.transactionId).toBe(claim.body.id)
    expect(paid.positions).toHaveLength(2)
    expect(paid.positions[0]?.amount).toBeGreaterThan(0)
    expect(paid.amount).toBe(paid.positions.reduce((sum, { amount }) => sum + amount, 0))
    expect(closed?.data).toMatchObject({ owner: staker.owner, positionId: 0, amount: ONE })
  })

  it('attestations: their wallet’s, verified or rejected', async () => {
    const expert = await service.signIn()
    const asOracle = await service.signIn(oracle)
    for (const decision of ['verified', 'rejected'] as const) {
      const attested = await expert.call('POST', '/reputation/attest/skill', {
        body: { credentialType: 'certification', credentialId: decision },
      })
      const attestationId = attested.body.id
      await expert.call('POST', '/reputation/verify', { body: { attestation_id: attestationId } })
      await eventually('it is in review', async () => {
        const { body } = await service.call('GET', `/reputation/verify?attestation_id=${attestationId}`)
        return body.status === 'in_review'
      })
      const body = { attestationId, decision, ...(decision === 'rejected' ? { reason: 'Unreadable' } : {}) }
      await asOracle.call('POST', '/reputation/oracle/decisions', { body })
    }
    const events = await untilLogged(expert.call, 'attestation.verified', 'attestation.rejected')
    const wallet = expert.wallet.publicKey
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        wallet,
        credentialId: 'verified',
        verificationLevel: 'third_party_verified',
        decidedBy: oracle.publicKey,
      },
      { wallet, credentialId: 'rejected', verificationLevel: 'self_attested', reason: 'Unreadable' },
    ])
    expect(await eventsOf(asOracle.call)).toEqual([])
  })

  it('pioneers: their own and that of the wallet that earned a bounty by them', async () => {
    const invites = await openInvites(service)
    const [first = '', second = ''] = await invites.issue(2)
    await invites.close()
    const referrer = await service.signIn()
    const brought = await service.signIn()
    const join = (inviteCode: string, walletAddress: string, referredBy?: string) =>
      service.call('POST', '/pioneer', { body: { inviteCode, walletAddress, referredBy } })
    await join(first, referrer.wallet.publicKey)
    await join(second, brought.wallet.publicKey, referrer.wallet.publicKey)
    const [joined] = await untilLogged(brought.call, 'pioneer.joined')
    expect(joined?.data).toEqual({
      wallet: brought.wallet.publicKey,
      tier: 'founding',
      referrer: referrer.wallet.publicKey,
    })
    const [, earned] = await untilLogged(referrer.call, 'pioneer.joined', 'pioneer.joined')
    expect(earned).toEqual(joined)
  })
})

describe('reading the log', () => {
  it('goes on after any event, oldest first, and says whether there is more', async () => {
    const owner = await service.signIn()
    const names = Array.from({ length: 7 }, (_, i) => `Agent number ${i}`)
    for (const name of names) await register(owner.call, { name })
    await untilLogged(owner.call, ...names.map(() => 'agent.registered'))
    const read: LoggedEvent[] = []
    let path = '/events?limit=3'
    for (;;) {
      const page = await owner.call('GET', path)
      const events = page.body.events as LoggedEvent[]
      read.push(...events)
      expect(page.body.count).toBe(events.length)
      const link = page.headers.get('link')
      expect(page.body.hasMore).toBe(link !== null)
      if (link === null) break
      path = new URL(/<(.*)>; rel="next"/.exec(link)?.[1] ?? '').href.replace(`${service.origin}/v1`, '')
      expect(path).toBe(`/events?limit=3&after=${events.at(-1)?.id}`)
    }
    expect(read.map(({ data }) => data.name)).toEqual(names)
    expect(await eventsOf(owner.call, `?after=${read.at(-1)?.id}`)).toEqual([])
    expect(await eventsOf(owner.call, `?after=${read[4]?.id.toUpperCase()}`)).toEqual(read.slice(5))
    expect(new Set(read.map(({ id }) => id)).size).toBe(7)
    for (const { id } of read)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('shows its end, newest first, as the log has it', async () => {
    const { call } = await service.signIn()
    const { call: strangers } = await service.signIn()
    for (let i = 0; i < 6; i++) await register(call, { name: `Agent ${i}` })
    const log = await untilLogged(call, ...Array(6).fill('agent.registered'))
    const newest = await call('GET', '/events?sort=newest&limit=4')
    expect(newest.body).toEqual({ events: log.slice(-4).reverse(), count: 4, hasMore: true })
    expect(newest.headers.get('link')).toBeNull()
    const whole = await call('GET', '/events?sort=newest&limit=6')
    expect(whole.body).toEqual({ events: log.toReversed(), count: 6, hasMore: false })
    expect((await strangers('GET', '/events?sort=newest')).body).toEqual({
      events: [],
      count: 0,
      hasMore: false,
    })
    expect((await call('GET', '/events?sort=oldest')).body.events).toEqual(log)
  })

  it('takes its end with no `after`, and no other order', async () => {
    const { call } = await service.signIn()
    for (const query of [`sort=newest&after=${crypto.randomUUID()}`, 'sort=latest'])
      expect(await call('GET', `/events?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: query.includes('after') ? 'after' : 'sort' }] },
      })
  })

  it('begins after nothing but one of one’s own events', async () => {
    const owner = await service.signIn()
    const stranger = await service.signIn()
    await register(owner.call)
    const [event] = await untilLogged(owner.call, 'agent.registered')
    for (const after of [event?.id, '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d']) {
      const refused = await stranger.call('GET', `/events?after=${after}`)
      expect(refused.body).toMatchObject({ status: 409, code: 'cursor_lost' })
      expect(refused.body).not.toHaveProperty('oldest')
    }
    const malformed = await stranger.call('GET', '/events?after=x')
    expect(malformed.body).toMatchObject({ status: 400, errors: [{ path: 'after' }] })
    expect(await eventsOf(stranger.call)).toEqual([])
    expect((await owner.call('GET', '/events?limit=0')).status).toBe(400)
  })

  it('is nobody’s without a session, and never cached', async () => {
    for (const [method, path] of [
      ['GET', '/events'],
      ['GET', '/events/deliveries'],
      ['POST', '/events/01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d/replay'],
    ] as const) {
      expect((await service.call(method, path)).status).toBe(401)
    }
    const { call } = await service.signIn()
    expect((await call('GET', '/events')).headers.get('cache-control')).toBe('no-store')
    const keys = await service.call('GET', '/events/keys')
    expect(keys.headers.get('cache-control')).toBe('no-cache')
    const unchanged = await service.call('GET', '/events/keys', {
      headers: { 'if-none-match': keys.headers.get('etag') ?? '' },
    })
    expect(unchanged.status).toBe(304)
  })
})

describe('deliveries and replays', () => {
  it('are the owner’s alone', async () => {
    const owner = await inbox.createAgent()
    const hirer = await owner.hire()
    await owner.untilStates('delivered', 'delivered')
    const [delivery] = await owner.deliveries()
    expect((await hirer.call('GET', '/events/deliveries')).body).toEqual({ deliveries: [], count: 0 })
    const stranger = await service.signIn()
    const replay = `/events/${delivery?.eventId}/replay`
    expect((await stranger.call('POST', replay)).body).toMatchObject({ status: 404, code: 'event_not_found' })
    // The hirer sees the event, but the webhook is not theirs.
    expect((await hirer.call('POST', replay)).body).toMatchObject({ status: 409, code: 'webhook_missing' })
    expect((await owner.call('POST', `/events/${'-'.repeat(36)}/replay`)).status).toBe(400)
    expect((await owner.call('POST', '/events/nonsense/replay')).status).toBe(404)
    await service.runJobs('jobs')
    await inbox.drained()
    expect(inbox.of(owner.url)).toHaveLength(2)
  })

  it('a replay of what goes to no webhook is refused', async () => {
    const owner = await service.signIn()
    const agent = await register(owner.call)
    const [event] = await untilLogged(owner.call, 'agent.registered')
    const replay = () => owner.call('POST', `/events/${event?.id}/replay`)
    expect((await replay()).body).toMatchObject({ status: 409, code: 'webhook_missing' })
    const webhookUrl = 'https://late.example.com/'
    await owner.call('PATCH', `/agents/${agent.id}`, { body: { webhookUrl } })
    expect((await replay()).status).toBe(202)
    const [received] = await inbox.until(webhookUrl, 1)
    expect(received.body).toEqual(event)
  })

  it('are listed in pages, newest first', async () => {
    const owner = await inbox.createAgent()
    for (let i = 0; i < 4; i++) await owner.hire()
    const all = await owner.untilStates(...Array<string>(5).fill('delivered'))
    const first = await owner.call('GET', '/events/deliveries?limit=3')
    expect(first.body.deliveries).toEqual(all.slice(0, 3))
    const second = await owner.call('GET', `/events/deliveries?limit=3&cursor=${first.body.nextCursor}`)
    expect(second.body).toEqual({ deliveries: all.slice(3), count: 2 })
    expect(first.headers.get('link')).toContain(`cursor=${first.body.nextCursor}`)
    expect((await owner.call('GET', '/events/deliveries?cursor=x')).status).toBe(400)
    expect((await owner.call('GET', '/events/deliveries?status=lost')).status).toBe(400)
  })
})
