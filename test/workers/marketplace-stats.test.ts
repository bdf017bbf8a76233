import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { openInvites } from '../support/invites.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, travel, travelToNoon } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'vault', 'settlement', 'marketplace', 'pioneer', 'reputation', 'jobs'],
  })
})
afterAll(() => service.stop())

const read = (headers: Record<string, string> = {}) => service.call('GET', '/marketplace/stats', { headers })
const stats = async () => (await read()).body

const NOTHING = {
  totalPioneers: 0,
  totalAgents: 0,
  totalAttestations: 0,
  totalValueLocked: 0,
  spotsRemaining: 1000,
}

/** What an action changes in the figures. */
async function changesOf(action: () => Promise<unknown>): Promise<Body> {
  const before = await stats()
  await action()
  const after = await stats()
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  return Object.fromEntries(changed.map((name) => [name, Number(after[name]) - Number(before[name])]))
}

describe('the statistics', () => {
  it('begin at nothing', async () => {
    expect(await stats()).toEqual(NOTHING)
  })

  it('take one round trip, carry an ETag, and may be cached by an edge cache only', async () => {
    expect(await service.countSql(() => read())).toBe(1)
    const { headers } = await read()
    expect(headers.get('cache-control')).toBe('no-cache, s-maxage=15, stale-while-revalidate=60')
    expect(headers.get('cdn-cache-control')).toBe('max-age=15, stale-while-revalidate=60')
    const unchanged = await read({ 'if-none-match': headers.get('etag') ?? '' })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers.get('cdn-cache-control')).toBe('max-age=15, stale-while-revalidate=60')
    const { call } = await service.signIn()
    await register(call)
    expect((await read({ 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200)
  })

  it('count agents of any status', async () => {
    const { call } = await service.signIn()
    let agent: Body = {}
    const registering = async () => {
      agent = await register(call)
    }
    expect(await changesOf(registering)).toEqual({ totalAgents: 1 })
    const inactive = { body: { status: 'inactive' } }
    expect(await changesOf(() => call('PATCH', `/agents/${agent.id}`, inactive))).toEqual({})
    expect(await changesOf(() => call('POST', '/agents/register', { body: {} }))).toEqual({})
  })

  it('count attestations once each, in any later status', async () => {
    const { call } = await service.signIn()
    const body = { credentialType: 'certification', credentialId: 'A-1' }
    let attestation: Body = {}
    const attest = async () => {
      attestation = (await call('POST', '/reputation/attest/skill', { body })).body
    }
    expect(await changesOf(attest)).toEqual({ totalAttestations: 1 })
    expect(await changesOf(attest)).toEqual({})
    const submit = () => call('POST', '/reputation/verify', { body: { attestation_id: attestation.id } })
    expect(await changesOf(submit)).toEqual({})
  })

  it('count pioneers, and the spots that are left', async () => {
    const invites = await openInvites(service)
    const inviteCode = await invites.issueOne()
    const redeem = () =>
      service.call('POST', '/pioneer', { body: { inviteCode, walletAddress: createWallet().publicKey } })
    expect(await changesOf(redeem)).toEqual({ totalPioneers: 1, spotsRemaining: -1 })
    expect(await changesOf(redeem)).toEqual({})
    await invites.close()
  })

  it('count a stake as locked from its confirmation until its withdrawal', async () => {
    const first = await createStaker(service)
    const second = await createStaker(service)
    const vaultsSum = async () => {
      let sum = 0
      // One after the other: each moves the clock.
      for (const staker of [first, second]) {
        const { body } = await staker.vault()
        sum += Number((body.balances as Body).cred)
      }
      return sum
    }
    expect(await changesOf(() => first.stack(3 * ONE, 7))).toEqual({})
    const confirm = async (staker: typeof first, amount: number) => {
      await staker.relay(await staker.stack(amount, 7))
      await staker.vault()
    }
    expect(await changesOf(() => confirm(first, 3 * ONE))).toEqual({ totalValueLocked: 3 * ONE })
    expect(await changesOf(() => confirm(second, 5 * ONE + 1))).toEqual({ totalValueLocked: 5 * ONE + 1 })
    expect((await stats()).totalValueLocked).toBe(await vaultsSum())
    await travel(service, 8 * DAY)
    await first.signInAgain()
    const claimed = async () => {
      await first.relay(await first.claim())
      await first.vault()
    }
    expect(await changesOf(claimed)).toEqual({})
    const withdrawal = async () => {
      await first.relay(await first.unstack(0))
      await first.vault()
    }
    expect(await changesOf(withdrawal)).toEqual({ totalValueLocked: -3 * ONE })
    expect((await stats()).totalValueLocked).toBe(await vaultsSum())
  })

  it('are exact above 2^53', async () => {
    const owner = createWallet().publicKey
    const run = (query: string) => service.database.engine.run([{ query, params: [] }])
    const before = BigInt(Number((await stats()).totalValueLocked))
    await run(`insert into vaults (owner, settled_at) values ('${owner}', '2026-01-01')`)
    for (const id of [0, 1]) {
      await run(`insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at,
        escrowed, seen_slot) values ('${owner}', ${id}, '${owner}${id}', 1, 9223372036854775807, 7, 800,
        '2026-01-01', 0, 0)`)
    }
    const { text } = await read()
    expect(text).toContain(`"totalValueLocked":${before + 2n * 9223372036854775807n},`)
    await run(`delete from positions where owner = '${owner}'`)
    expect((await read()).text).toContain(`"totalValueLocked":${before},`)
  })
})

describe('the history of the statistics', () => {
  const history = (query = '') => service.call('GET', `/marketplace/stats/history${query}`)
  const daysOf = async (query = '') => (await history(query)).body.days as Body[]
  const today = () => new Date(service.clock.now()).toISOString().slice(0, 10)

  it('has a day by the first run of the jobs, as the figures were then', async () => {
    await travelToNoon(service)
    const before = await stats()
    await service.runJob('daily')
    const { call } = await service.signIn()
    await register(call)
    await service.runJob('daily')
    const [day, ...others] = await daysOf('?days=1')
    expect(others).toEqual([])
    const { spotsRemaining: _notKept, ...figures } = before
    expect(day).toEqual({ day: today(), takenAt: expect.any(String), ...figures })
    expect((await stats()).totalAgents).toBe(Number(day?.totalAgents) + 1)
  })

  it('gives the last 30 days unless asked for others, in one round trip', async () => {
    const first = (await daysOf('?days=365')).length
    await travel(service, 30 * DAY)
    await service.runJob('daily')
    expect((await daysOf()).map(({ day }) => day)).toEqual([today()])
    expect(await daysOf('?days=365')).toHaveLength(first + 1)
    expect(await service.countSql(() => history())).toBe(1)
  })

  it.each(['0', '366', '-1', '1.5', 'all', ''])('refuses days=%j', async (days) => {
    const { status, body } = await history(`?days=${days}`)
    expect([status, (body.errors as Body[])[0]?.path]).toEqual([400, 'days'])
  })

  it('carries an ETag', async () => {
    const etag = (await history()).headers.get('etag') ?? ''
    const again = await service.call('GET', '/marketplace/stats/history', {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  })
})
