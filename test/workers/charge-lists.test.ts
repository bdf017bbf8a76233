import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedPaths } from '../support/agents.ts'
import { hiring } from '../support/hiring.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

const list = async (call: Call, query: string) =>
  (await call('GET', `/payments/charges?${query}`)).body as { charges: Body[]; nextCursor?: string }
const ids = (page: { charges: Body[] }) => page.charges.map(({ id }) => id)

describe('the list of charges', () => {
  it('has each side’s own, newest first, and nobody else’s', async () => {
    const { charge, asOwner, asHirer, hireId, agentId } = await hiring(service)
    const first = (await charge()).body
    const second = (await charge()).body
    const both = [second, first]
    expect((await list(asOwner, 'role=owner')).charges).toEqual(both)
    expect((await list(asHirer, 'role=hirer')).charges).toEqual(both)
    expect((await list(asOwner, `role=owner&hireId=${hireId}`)).charges).toEqual(both)
    expect((await list(asOwner, `role=owner&agentId=${agentId}`)).charges).toEqual(both)
    expect((await list(asHirer, `role=hirer&hireId=${hireId}`)).charges).toEqual(both)
    const stranger = await service.signIn()
    for (const [call, query] of [
      [asOwner, 'role=hirer'],
      [asHirer, 'role=owner'],
      [asHirer, `role=owner&hireId=${hireId}`],
      [asHirer, `role=owner&agentId=${agentId}`],
      [asOwner, `role=hirer&hireId=${hireId}`],
      [stranger.call, `role=owner&hireId=${hireId}`],
      [stranger.call, `role=hirer&hireId=${hireId}`],
      [stranger.call, `role=owner&agentId=${agentId}`],
    ] as const) {
      expect((await list(call, query)).charges).toEqual([])
    }
  })

  it('shows the status of each, and filters by status', async () => {
    const { charge, void: take, asOwner, asHirer, hireId, travel } = await hiring(service)
    const bodies = []
    for (let i = 0; i < 4; i++) bodies.push((await charge()).body)
    const [voided, collected, collecting, recorded] = bodies.map(({ id }) => String(id))
    await take(voided)
    const set = (text: string, id = '') =>
      service.database.engine.run([{ query: `update charges set ${text} where id = $1`, params: [id] }])
    await set(`status = 'collected', collected_at = '2026-11-22T10:00:00Z', fee = 1`, collected)
    await set('collection_id = gen_random_uuid()', collecting)
    const states = async () =>
      Object.fromEntries((await list(asOwner, 'role=owner')).charges.map(({ id, status }) => [id, status]))
    expect(await states()).toEqual({
      [String(voided)]: 'voided',
      [String(collected)]: 'collected',
      [String(collecting)]: 'collecting',
      [String(recorded)]: 'recorded',
    })
    expect(ids(await list(asOwner, 'role=owner&status=voided'))).toEqual([voided])
    expect(ids(await list(asHirer, 'role=hirer&status=collected'))).toEqual([collected])
    expect(ids(await list(asOwner, 'role=owner&status=recorded'))).toEqual([recorded, collecting])
    const [paid] = (await list(asHirer, 'role=hirer&status=collected')).charges
    expect(paid).toMatchObject({ collectedAt: '2026-11-22T10:00:00.000Z', fee: 1 })
    await asHirer('DELETE', `/agents/hire?id=${hireId}`)
    await travel(30)
    expect((await states())[String(recorded)]).toBe('lapsed')
    expect((await states())[String(collecting)]).toBe('collecting')
  })

  it('is read in pages that neither repeat nor miss one when statuses change', async () => {
    const { charge, void: take, asOwner } = await hiring(service)
    const made = []
    for (let i = 0; i < 7; i++) made.push((await charge()).body.id)
    await take(made[2])
    await take(made[5])
    const seen: unknown[] = []
    let cursor = ''
    do {
      const page = await list(asOwner, `role=owner&limit=2${cursor}`)
      expect(page.charges.length).toBeLessThanOrEqual(2)
      seen.push(...ids(page))
      cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`
      await charge()
    } while (cursor !== '')
    expect(seen).toEqual(made.reverse())
    const { headers } = await asOwner('GET', '/payments/charges?role=owner&limit=2')
    expect(headers.get('link')).toContain('rel="next"')
  })

  it('names the parameter that it can’t take', async () => {
    const { asOwner, hireId, agentId } = await hiring(service)
    const refused = async (query: string) => refusedPaths(await asOwner('GET', `/payments/charges${query}`))
    expect(await refused('')).toEqual(['role'])
    expect(await refused('?role=both')).toEqual(['role'])
    expect(await refused('?role=owner&hireId=x')).toEqual(['hireId'])
    expect(await refused('?role=owner&status=lapsed')).toEqual(['status'])
    expect(await refused(`?role=hirer&agentId=${agentId}`)).toEqual(['agentId'])
    expect(await refused(`?role=owner&agentId=${agentId}&hireId=${hireId}`)).toEqual(['agentId'])
    expect(await refused('?role=owner&cursor=abc')).toEqual(['cursor'])
  })
})

describe('a charge by its id', () => {
  it('is the same to both sides and as in their lists, in each state', async () => {
    const { charge, void: take, asOwner, asHirer, hireId, travel } = await hiring(service)
    const [first, second] = [(await charge()).body, (await charge()).body]
    await take(first.id)
    const compare = async () => {
      const { charges } = await list(asOwner, 'role=owner')
      for (const listed of charges)
        for (const call of [asOwner, asHirer])
          expect((await call('GET', `/payments/charges/${listed.id}`)).body).toEqual(listed)
      return charges.map(({ status }) => status)
    }
    expect(await compare()).toEqual(['recorded', 'voided'])
    await asHirer('DELETE', `/agents/hire?id=${hireId}`)
    await travel(30)
    expect(await compare()).toEqual(['lapsed', 'voided'])
    expect(second.status).toBe('recorded')
  })

  it('is not found by strangers, nor by what is not an id', async () => {
    const { charge, asHirer, hireId } = await hiring(service)
    const other = await hiring(service)
    const { id } = (await charge()).body
    const stranger = await service.signIn()
    for (const call of [stranger.call, other.asOwner, other.asHirer])
      expect((await call('GET', `/payments/charges/${id}`)).body).toMatchObject({
        status: 404,
        code: 'charge_not_found',
      })
    expect((await asHirer('GET', `/payments/charges/${hireId}`)).body).toMatchObject({ status: 404 })
    expect((await asHirer('GET', '/payments/charges/x')).body).toMatchObject({ code: 'unknown_path' })
    expect((await service.call('GET', `/payments/charges/${id}`)).status).toBe(401)
  })
})

describe('an agent’s hires', () => {
  it('are visible to its owner, with the hirer and the amount spent', async () => {
    const { charge, asOwner, asHirer, agentId, hireId, hirer } = await hiring(
      service,
      {},
      { budgetLimit: 500, layers: [10] },
    )
    await charge()
    const { body } = await asOwner('GET', `/agents/${agentId}/hires`)
    const seen = ((await asHirer('GET', '/agents/hire')).body.hires as [Body])[0]
    const { agent: _, ...terms } = seen
    expect(body).toEqual({ hires: [{ ...terms, agentId, hirer: hirer.publicKey }], count: 1 })
    expect(seen).toMatchObject({ id: hireId, spent: 100, remaining: 400 })
    const stranger = await service.signIn()
    for (const call of [asHirer, stranger.call]) {
      const answer = await call('GET', `/agents/${agentId}/hires`)
      expect(answer.body).toMatchObject({ status: 404, code: 'agent_not_found' })
    }
  })

  it('are found by what they are now, and page by page', async () => {
    const hire = await hiring(service, {}, { expiresInDays: 1 })
    const others = await Promise.all(Array.from({ length: 4 }, () => service.signIn()))
    const made = [hire.hireId]
    for (const { call } of others) {
      const body = { agentId: hire.agentId, expiresInDays: 30 }
      made.unshift(String((await call('POST', '/agents/hire', { body })).body.id))
    }
    await others[0]?.call('DELETE', `/agents/hire?id=${made[3]}`)
    await hire.travel(1)
    const read = async (query: string) =>
      (await hire.asOwner('GET', `/agents/${hire.agentId}/hires?${query}`)).body as {
        hires: Body[]
        nextCursor?: string
      }
    const found = async (status: string) => (await read(`status=${status}`)).hires.map(({ id }) => id)
    for (const recorded of [false, true]) {
      if (recorded) await service.runJobs('jobs')
      expect(await found('expired')).toEqual([made[4]])
      expect(await found('terminated')).toEqual([made[3]])
      expect(await found('active')).toEqual(made.slice(0, 3))
      const first = await read('limit=3')
      const second = await read(`limit=3&cursor=${first.nextCursor}`)
      expect([...first.hires, ...second.hires].map(({ id }) => id)).toEqual(made)
      expect(second.nextCursor).toBeUndefined()
    }
  })

  it('are an empty list of an agent that nobody has hired', async () => {
    const { asOwner } = await hiring(service)
    const { body: agent } = await asOwner('POST', '/agents/register', {
      body: { name: 'Nobody’s', agentType: 'oracle', supportedLayers: [1] },
    })
    const answer = await asOwner('GET', `/agents/${agent.id}/hires`)
    expect(answer).toMatchObject({ status: 200, body: { hires: [], count: 0 } })
    expect((await asOwner('GET', `/agents/${agent.id}/hires?status=gone`)).status).toBe(400)
  })
})
