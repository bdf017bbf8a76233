import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'

const HIRES = 10_000

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents'] })
  const owner = await service.signIn()
  const { id } = await register(owner.call)
  const hirer = await service.signIn()
  call = hirer.call
  // As if it had hired and ended a hire 10,000 times.
  await service.database.engine.run([
    {
      query: `insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, auto_renew, term_days,
          status, hired_at, expires_at, ended_at, outcome)
        select event_id(at), $1, $2, '{1}', 'flat', 5, false, 30, 'terminated', at, at + interval '30 days', at, 'cut_short'
        from (select timestamptz '2026-01-01' + n * interval '1 minute' as at from generate_series(1, ${HIRES}) as n) as hired`,
      params: [hirer.wallet.publicKey, id],
    },
  ])
})
afterAll(() => service.stop())

const idsOf = (body: Body) => (body.hires as Body[]).map(({ id }) => String(id))

describe('the hires of a wallet that has 10,000', () => {
  it('are returned in pages of 50, newest first', async () => {
    const { status, body, headers, text } = await call('GET', '/agents/hire')
    expect(status).toBe(200)
    expect(body.count).toBe(50)
    expect(text.length).toBeLessThan(60_000)
    expect(idsOf(body)).toEqual(idsOf(body).toSorted().reverse())
    expect(headers.get('link')).toContain(`cursor=${body.nextCursor}`)
    expect(headers.get('link')).toContain('rel="next"')
    const many = await call('GET', '/agents/hire?limit=1000')
    expect(many.body.count).toBe(100)
  })

  it('are each returned once when following the cursor', async () => {
    const found: string[] = []
    let cursor: unknown
    do {
      const next = cursor === undefined ? '' : `&cursor=${cursor}`
      const { body } = await call('GET', `/agents/hire?limit=100${next}`)
      found.push(...idsOf(body))
      cursor = body.nextCursor
    } while (cursor !== undefined)
    expect(found).toHaveLength(HIRES)
    expect(new Set(found).size).toBe(HIRES)
    expect(found).toEqual(found.toSorted().reverse())
  })

  it.each(['x', '', 'WyJ4Il0', 'W10', 'bnVsbA'])('refuse the cursor %j', async (cursor) => {
    const answer = await call('GET', `/agents/hire?cursor=${cursor}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})
