import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { proxyError } from '../../lib/local/neon/handler.ts'
import { registration } from '../support/agents.ts'
import { answerTo, type Call, type Fault, type Service, startService } from '../support/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents'] })
  call = (await service.signIn()).call
})
afterAll(() => service.stop())

const refuse: Fault = () => {
  throw new Error('connection refused')
}
/** What Neon's proxy answers when it loses Postgres while a statement runs. */
const lose: Fault = () => proxyError(400, 'connection closed')
/** What it answers when it could not give the statement to any Postgres. */
const notReached: Fault[] = [
  'Failed to acquire permit to connect to the database. Too many database connection attempts are currently ongoing.',
  'Control plane request failed',
  "Couldn't connect to compute node",
].map((message) => () => proxyError(500, message))
const faults: [string, Fault][] = [
  ['is unreachable', refuse],
  ['answers 500', () => new Response('<h1>oops</h1>', { status: 500 })],
  ['answers a page', () => new Response('<html>maintenance</html>')],
  ['answers JSON that is none of its own', () => Response.json({ hello: 'world' })],
  [
    'refuses the password',
    () => Response.json({ message: 'password authentication failed for user' }, { status: 400 }),
  ],
  ['has too many connections', () => Response.json({ message: 'sorry', code: '53300' }, { status: 400 })],
  ['waits too long for a lock', () => Response.json({ message: 'sorry', code: '55P03' }, { status: 400 })],
  ['is lost in the query', lose],
  ...notReached.map((fault, i): [string, Fault] => [`is not reached by its proxy (${i + 1})`, fault]),
]

describe.each(faults)('while the database %s', (_name, fault) => {
  it('reads, writes and logins answer 503 with Retry-After, without internals', async () => {
    const challenge = await service.call('GET', '/auth/handshake')
    const submit = answerTo(challenge.body, createWallet())
    const answers = await service.withFault(fault, async () => [
      await service.call('GET', '/agents'),
      await call('POST', '/agents/register', { body: registration({ name: 'Never stored' }) }),
      await call('GET', '/agents/hire'),
      await service.call('POST', '/auth/handshake', { body: submit }),
    ])
    for (const answer of answers) {
      expect(answer.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(answer.text).not.toMatch(/password|sorry|oops|insert|select|Never stored/i)
    }
    // The next request works, nothing is half done, and the challenge was not spent.
    const listed = await service.call('GET', '/agents?limit=100')
    expect(listed.status).toBe(200)
    expect(listed.text).not.toContain('Never stored')
    expect((await service.call('POST', '/auth/handshake', { body: submit })).status).toBe(200)
  })
})

/** Fails the first call in the given way and lets the rest through. */
function failOnce(fault: Fault): Fault & { calls: () => number } {
  let calls = 0
  const once: Fault = (request) => {
    calls += 1
    return calls === 1 ? fault(request) : service.database.handler(request)
  }
  return Object.assign(once, { calls: () => calls })
}

it('repeats a failed read once, and never a write', async () => {
  for (const fault of [refuse, lose, () => new Response('', { status: 503 })]) {
    const reading = failOnce(fault)
    expect((await service.withFault(reading, () => service.call('GET', '/agents'))).status).toBe(200)
    expect(reading.calls()).toBe(2)
    const writing = failOnce(fault)
    const answer = await service.withFault(writing, () =>
      call('POST', '/agents/register', { body: registration() }),
    )
    expect(answer.status).toBe(503)
    expect(writing.calls()).toBe(1)
  }
})

it('repeats a write that Postgres rolled back (serialization, deadlock)', async () => {
  for (const code of ['40001', '40P01']) {
    const rolledBack = failOnce(() => Response.json({ message: 'rolled back', code }, { status: 400 }))
    const answer = await service.withFault(rolledBack, () =>
      call('POST', '/agents/register', { body: registration() }),
    )
    expect(answer.status).toBe(201)
    expect(rolledBack.calls()).toBe(2)
  }
})

it('repeats a write that never reached Postgres', async () => {
  for (const fault of notReached) {
    const writing = failOnce(fault)
    const answer = await service.withFault(writing, () =>
      call('POST', '/agents/register', { body: registration() }),
    )
    expect(answer.status).toBe(201)
    expect(writing.calls()).toBe(2)
  }
})

it('answers a bare 500 when Postgres rejects a statement', async () => {
  const bug: Fault = () =>
    Response.json(
      { message: 'column "secret" does not exist', code: '42703', detail: 'secret' },
      { status: 400 },
    )
  const answer = await service.withFault(bug, () =>
    call('POST', '/agents/register', { body: registration() }),
  )
  expect(answer.body).toMatchObject({ status: 500, code: 'internal_error' })
  expect(answer.text).not.toContain('secret')
})

it('answers 503 when the database has not answered within its time limit', async () => {
  // Of its own: a database that answers is later than so short a limit on a busy machine.
  const constants = { agents: { DATABASE_TIMEOUT_MS: 1_000 } }
  const impatient = await startService({ groups: ['agents'], constants })
  onTestFinished(() => impatient.stop())
  const silent: Fault = () => new Promise(() => {})
  const answer = await impatient.withFault(silent, () => impatient.call('GET', '/agents'))
  expect(answer.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
})
