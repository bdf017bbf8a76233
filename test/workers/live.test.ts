import { type EventEmitter, once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_SCHEMA } from '../../schema/release.ts'
import { register } from '../support/agents.ts'
import { eventsOf, untilLogged } from '../support/events.ts'
import { type Service, startService } from '../support/service.ts'
import { type Listener, listen, refusalOf } from '../support/sockets.ts'
import { eventually } from '../support/webhooks.ts'

const DAY_MS = 86_400_000

let service: Service
let otherAgent: unknown
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs', 'live'], stopped: true })
  otherAgent = (await owner()).agent.id
})
afterAll(() => service.stop())

/** A wallet with an agent, whose log has one event. */
async function owner() {
  const signedIn = await service.signIn()
  return { ...signedIn, agent: await register(signedIn.call) }
}

describe('GET /events/live', () => {
  it('sends the log like GET /events, from the start or an event, and new events', async () => {
    const { call, token, agent } = await owner()
    const whole = await listen(service, token)
    const [registered] = await whole.until(1)
    const rest = await listen(service, token, { after: String(registered?.id) })
    const hirer = await service.signIn()
    const hirers = await listen(service, hirer.token)
    const hire = await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
    await hirer.call('DELETE', `/agents/hire?id=${hire.body.id}`)
    const log = await untilLogged(call, 'agent.registered', 'hire.created', 'hire.terminated')
    expect(await whole.until(3)).toEqual(log)
    expect(await rest.until(2)).toEqual(log.slice(1))
    expect(await hirers.until(2)).toEqual(log.slice(1))
    for (const { messages } of [whole, rest, hirers])
      for (const { events, count, hasMore } of messages)
        expect({ count, hasMore }).toEqual({ count: events.length, hasMore: false })
    await Promise.all([whole.close(), rest.close(), hirers.close()])
  })

  it('an open socket costs no statement, and acknowledgements and pings cost none', async () => {
    const { token } = await owner()
    const listener = await listen(service, token)
    await listener.until(1)
    // The first read may have found a transaction running.
    await eventually('it has come to rest', async () => (await service.countSql(() => pause(2_500))) === 0)
    const sql = await service.countSql(async () => {
      listener.socket.send(JSON.stringify({ ack: listener.events()[0]?.id }))
      listener.socket.send('ping')
      // The server has handled the earlier message.
      await once(listener.socket, 'message')
    })
    expect(sql).toBe(0)
    await listener.close()
  })

  it('opens with one round trip to the database, and again without a write', async () => {
    const { token, wallet } = await owner()
    const until = () =>
      service.database.engine
        .run([
          {
            query: 'select listens_until, xmin::text from wallets where address = $1',
            params: [wallet.publicKey],
          },
        ])
        .then(([result]) => result?.rows[0])
    expect(await until()).toMatchObject([null, expect.any(String)])
    await (await listen(service, token)).close()
    const first = await until()
    expect(first?.[0]).not.toBeNull()
    await (await listen(service, token)).close()
    expect(await until()).toEqual(first)
  })

  it('allows five sockets a wallet, and refuses the sixth before the upgrade', async () => {
    const { token } = await owner()
    const sockets = await Promise.all(Array.from({ length: 5 }, () => listen(service, token)))
    expect(await refusalOf(service, token)).toMatchObject({ status: 429, code: 'too_many_sockets' })
    await sockets[0]?.close()
    const sixth = await listen(service, token)
    await sixth.until(1)
    await Promise.all([...sockets.slice(1), sixth].map((socket) => socket.close()))
  })

  it('refuses what is no handshake of it, each in the one error shape', async () => {
    const { call, token } = await owner()
    const plain = await call('GET', '/events/live')
    expect(plain).toMatchObject({ status: 426, body: { code: 'upgrade_required' } })
    expect(await refusalOf(service, token, '', [`bearer.${token}`])).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ path: 'Sec-WebSocket-Protocol' }],
    })
    expect(await refusalOf(service, 'nonsense')).toMatchObject({ status: 401, code: 'token_invalid' })
    expect(await refusalOf(service, token, '?after=no-uuid')).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ path: 'after' }],
    })
    expect(await refusalOf(service, token, `?after=${crypto.randomUUID()}`)).toMatchObject({
      status: 409,
      code: 'cursor_lost',
    })
  })

  it('ends a revoked session’s sockets with the next event, and no others', async () => {
    const { call, token, wallet, agent } = await owner()
    const before = await listen(service, token)
    await before.until(1)
    await call('POST', '/auth/revoke')
    expect(await refusalOf(service, token)).toMatchObject({ status: 401, code: 'session_revoked' })
    const again = await service.signIn(wallet)
    const after = await listen(service, again.token)
    await after.until(1)
    await again.call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    expect(await before.closed).toEqual({ code: 4401, reason: 'the session was revoked' })
    expect((await after.until(2)).at(-1)?.type).toBe('agent.status_changed')
    expect(before.events()).toHaveLength(1)
    await after.close()
  })

  it('five idle sockets of a session that was revoked keep nobody out', async () => {
    const { call, token, wallet } = await owner()
    const thieves = await Promise.all(Array.from({ length: 5 }, () => listen(service, token)))
    for (const thief of thieves) await thief.until(1)
    await call('POST', '/auth/revoke')
    const mine = await listen(service, (await service.signIn(wallet)).token)
    await mine.until(1)
    for (const { closed } of thieves)
      expect(await closed).toEqual({ code: 4401, reason: 'the session was revoked' })
    await mine.close()
  })

  it('closes a socket by the object’s alarm when its token has expired', async () => {
    const { token, wallet } = await owner()
    const listener = await listen(service, token)
    await listener.until(1)
    await service.clock.travelTo(service.clock.now() + DAY_MS + 1_000)
    await eventually('the alarm has come', async () => {
      await service.reachLiveAlarm(wallet.publicKey)
      return listener.socket.readyState !== listener.socket.OPEN
    })
    expect(await listener.closed).toEqual({ code: 4401, reason: 'the session has ended' })
  })

  it('wakes no database when a token expires, and stores nothing after the last one', async () => {
    const { token, wallet } = await owner()
    const first = await listen(service, token)
    await first.until(1)
    await service.clock.travelTo(service.clock.now() + DAY_MS / 2)
    const second = await listen(service, (await service.signIn(wallet)).token)
    await second.until(1)
    await eventually('it has come to rest', async () => (await service.countSql(() => pause(2_500))) === 0)
    await service.clock.travelTo(service.clock.now() + DAY_MS / 2 + 1_000)
    const sql = await service.countSql(async () => {
      expect(await service.reachLiveAlarm(wallet.publicKey)).toBeGreaterThan(service.clock.now())
      expect((await first.closed).code).toBe(4401)
    })
    expect(sql).toBe(0)
    await second.close()
    await service.clock.travelTo(service.clock.now() + DAY_MS / 2 + 1_000)
    // The test's own alarm is stored beside what the object stores.
    expect(await service.reachLiveAlarm(wallet.publicKey)).toBeNull()
  })

  it('a client that answers no close can neither send on nor pile up connections', async () => {
    const { token } = await owner()
    const deaf = async () => {
      const { socket, closed } = await listen(service, token)
      // By this ws would answer the closing frame.
      const receiver: EventEmitter = Reflect.get(socket, '_receiver').removeAllListeners('conclude')
      socket.on('error', () => {})
      socket.send('hello')
      expect((await once(receiver, 'conclude'))[0]).toBe(4400)
      return { socket, closed }
    }
    const allDeaf = async () => {
      const sockets = []
      for (let i = 0; i < 20; i++) sockets.push(await deaf())
      return sockets
    }
    const before = await allDeaf()
    expect(await refusalOf(service, token)).toMatchObject({ status: 503, code: 'dependency_unavailable' })
    for (const { closed } of before) expect((await closed).code).toBe(1006)
    const sockets = await allDeaf()
    await atAMinutesBeginning()
    for (let i = 0; i < 300; i++) sockets[0]?.socket.send('{"ack":"x"}')
    for (const { closed } of sockets) expect((await closed).code).toBe(1006)
    expect(await refusalOf(service, token)).toMatchObject({ status: 429, code: 'too_many_sockets' })
    await service.clock.travelTo(service.clock.now() + 60_000)
    await (await listen(service, token)).close()
  })

  it('closes a socket that sends what is no acknowledgement', async () => {
    const { token } = await owner()
    for (const message of ['hello', '{"ack":7}', '[]', 'null', `{"ack":"${'x'.repeat(100)}"}`]) {
      const listener = await listen(service, token)
      listener.socket.send(message)
      expect((await listener.closed).code).toBe(4400)
    }
    const flooding = await listen(service, token)
    await atAMinutesBeginning()
    for (let i = 0; i <= 120; i++) flooding.socket.send('{"ack":"x"}')
    expect((await flooding.closed).code).toBe(4429)
  })
})

/** As functions of Postgres have it. */
const SEARCH_PATH = `set local search_path = ${API_SCHEMA}, public`

/** The data of an event about an agent of another wallet. */
const change = () => ({ agentId: otherAgent, status: 'active', previousStatus: 'inactive' })

/** Adds events to a wallet's log like a transaction whose notification is lost. */
const tellUnheard = (wallet: string, count: number, data: object = change()) =>
  service.database.engine.run([
    { query: SEARCH_PATH, params: [] },
    {
      query: `select publish_event('agent.status_changed', now(), now(), $1, null, null, $2::json)
        from generate_series(1, $3::integer)`,
      params: [wallet, JSON.stringify(data), String(count)],
    },
  ])

describe('nothing is lost, doubled or out of order', () => {
  it('a socket that is killed at every event goes on after the last that it had', async () => {
    const { call, token, agent } = await owner()
    const ids: string[] = []
    const reading = (async () => {
      while (ids.length < 31) {
        const after = ids.at(-1)
        const listener = await listen(service, token, { ...(after && { after }), acknowledges: false })
        const [first] = await listener.until(1)
        listener.socket.terminate()
        if (first) ids.push(first.id)
      }
    })()
    for (let i = 0; i < 30; i++)
      await call('PATCH', `/agents/${agent.id}`, { body: { status: i % 2 ? 'active' : 'inactive' } })
    await reading
    expect(ids).toEqual((await eventsOf(call)).map(({ id }) => id))
  })

  it('an event without a notification comes before the next event', async () => {
    const { call, token, wallet, agent } = await owner()
    const listener = await listen(service, token)
    await listener.until(1)
    await tellUnheard(wallet.publicKey, 2)
    await call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    expect(await listener.until(4)).toEqual(await eventsOf(call))
    await listener.close()
  })

  it('an event that waits for an older transaction comes a second after that ends', async () => {
    const { call, token, wallet, agent } = await owner()
    const listener = await listen(service, token)
    await listener.until(1)
    await whileOpen('select pg_current_xact_id()', async () => {
      await call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
      await untilToBeReadAgain(wallet.publicKey)
      expect(listener.events()).toHaveLength(1)
    })
    await afterASecond(wallet.publicKey)
    expect(await listener.until(2)).toEqual(await eventsOf(call))
    await listener.close()
  })

  it('an event of a transaction from before the connection comes without notification', async () => {
    const { call, token, wallet } = await owner()
    let listener: Listener | undefined
    const publishes = `${SEARCH_PATH}; select publish_event('agent.status_changed', now(), now(), '${wallet.publicKey}', null, null, '${JSON.stringify(change())}')`
    await whileOpen(publishes, async () => {
      listener = await listen(service, token)
      await listener.until(1)
      await untilToBeReadAgain(wallet.publicKey)
    })
    await afterASecond(wallet.publicKey)
    expect(await listener?.until(2)).toEqual(await eventsOf(call))
    await listener?.close()
  })

  it('a failing database is asked again after a second; before the upgrade it is a 503', async () => {
    const { call, token, wallet, agent } = await owner()
    const listener = await listen(service, token)
    await listener.until(1)
    const body = { status: 'inactive' }
    let answered = 0
    const failing = (request: Request) =>
      answered++ === 0 ? service.database.handler(request) : new Response('gone', { status: 502 })
    await service.withFault(failing, async () => {
      // The change itself is answered; what the socket asks then is not.
      expect(await call('PATCH', `/agents/${agent.id}`, { body })).toMatchObject({ status: 200 })
      expect(await refusalOf(service, token)).toMatchObject({ status: 503, code: 'dependency_unavailable' })
      await untilToBeReadAgain(wallet.publicKey)
    })
    expect(listener.events()).toHaveLength(1)
    await afterASecond(wallet.publicKey)
    expect(await listener.until(2)).toEqual(await eventsOf(call))
    await listener.close()
  })

  it('a log of more than a megabyte comes as fast as it is acknowledged', async () => {
    const { token, wallet } = await owner()
    await tellUnheard(wallet.publicKey, 1_500, { ...change(), reason: 'x'.repeat(1_000) })
    const listener = await listen(service, token)
    const events = await listener.until(1_501)
    expect(new Set(events.map(({ id }) => id)).size).toBe(1_501)
    expect(listener.messages.map(({ count }) => count)).toEqual([...Array(15).fill(100), 1])
    await listener.close()
  })

  it('sockets reopened on a long log read 60 pages a minute, then one a second', async () => {
    const { token, wallet } = await owner()
    await tellUnheard(wallet.publicKey, 1_500)
    await atAMinutesBeginning()
    const sql = await service.countSql(async () => {
      for (let i = 0; i < 6; i++) {
        const listener = await listen(service, token, { acknowledges: false })
        await eventually('all has come', () => listener.events().length === 1_501, 800).catch(() => {})
        await listener.close()
      }
    })
    // Six to open them; a second may pass in between.
    expect(sql).toBeLessThan(6 + 60 + 16)
    const listener = await listen(service, token, { acknowledges: false })
    for (let i = 0; i < 16; i++) await afterASecond(wallet.publicKey)
    const ids = (await listener.until(1_501)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(1_501)
    await listener.close()
  })

  it('a socket without acknowledgements gets a megabyte, and closes when the log grows', async () => {
    const { call, token, wallet, agent } = await owner()
    await tellUnheard(wallet.publicKey, 1_500, { ...change(), reason: 'x'.repeat(1_000) })
    const listener = await listen(service, token, { acknowledges: false })
    const length = () => listener.messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
    await eventually('it has a megabyte', () => length() > 1_048_576)
    await pause(300)
    expect(length()).toBeLessThan(1_048_576 * 1.2)
    await call('PATCH', `/agents/${agent.id}`, { body: { status: 'inactive' } })
    expect(await listener.closed).toEqual({ code: 4413, reason: 'continue after the start' })
  })
})

/** Runs `action` while a transaction is open that has run a statement. */
async function whileOpen(statement: string, action: () => Promise<void>) {
  const client = new pg.Client({ connectionString: service.database.url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(statement)
    await action()
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Messages and reads are counted by the minute. */
const atAMinutesBeginning = () => service.clock.travelTo(Math.ceil(service.clock.now() / 60_000) * 60_000)

/** Waits until a read has set the alarm after which the log is read again. */
const untilToBeReadAgain = (wallet: string) =>
  eventually('the log is to be read again', async () => {
    const at = await service.reachLiveAlarm(wallet)
    return at !== null && at <= service.clock.now() + 1_000
  })

/** The alarm after which the log is read again. */
async function afterASecond(wallet: string) {
  await service.clock.travelTo(service.clock.now() + 1_001)
  await service.reachLiveAlarm(wallet)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
