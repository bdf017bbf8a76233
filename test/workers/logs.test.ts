import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register, registration } from '../support/agents.ts'
import type { LogLine } from '../support/logs.ts'
import {
  type Answer,
  answerTo,
  type Call,
  type Fault,
  type Service,
  startService,
} from '../support/service.ts'
import { createStaker, ONE } from '../support/staker.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.signIn()).call
})
afterAll(() => service.stop())

const lineOf = (answer: Answer) => service.logs.of(answer.headers.get('x-request-id'))
const linesOf = (answer: Answer) =>
  service.logs.lines.filter(({ requestId }) => requestId === answer.headers.get('x-request-id'))

const refuse: Fault = () => {
  throw new Error('connection refused')
}
const bug: Fault = () =>
  Response.json({ message: 'column "secret" does not exist', code: '42703' }, { status: 400 })

it('logs the role and answers 500 when a Worker’s role lacks a right', async () => {
  const { engine } = service.database
  await engine.execScript('revoke select on agents from agentcred_decide')
  const refused = await service.call('GET', '/agents')
  await engine.execScript('grant select on agents to agentcred_decide')
  expect([refused.status, refused.body.code]).toEqual([500, 'internal_error'])
  expect(refused.text).not.toMatch(/agentcred_|42501|permission/)
  expect(await lineOf(refused)).toMatchObject({
    level: 'error',
    code: 'internal_error',
    reason: 'SQLSTATE 42501 as agentcred_decide_a',
  })
  expect((await service.call('GET', '/agents')).status).toBe(200)
})

describe('a request’s log line', () => {
  const cases: [string, () => Promise<Answer>, LogLine][] = [
    [
      'when it succeeds',
      // The first page has room left: a second statement searches by need.
      () => service.call('GET', '/agents?q=yield&limit=5'),
      { level: 'info', method: 'GET', route: '/v1/agents', status: 200, subrequests: { sql: 2 } },
    ],
    [
      'when it is a HEAD',
      () => service.call('HEAD', '/agents'),
      { level: 'info', method: 'HEAD', route: '/v1/agents', status: 200, subrequests: { sql: 1 } },
    ],
    [
      'when nothing has changed',
      () => service.call('GET', '', { headers: { 'if-none-match': '*' } }),
      { level: 'info', method: 'GET', route: '/v1', status: 304, subrequests: {} },
    ],
    [
      'when it is refused',
      () => call('POST', '/agents/hire', { body: { agentId: '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d' } }),
      {
        level: 'info',
        method: 'POST',
        route: '/v1/agents/hire',
        status: 404,
        subrequests: { sql: 1 },
        code: 'agent_not_found',
      },
    ],
    [
      'when its path is unknown',
      () => service.call('GET', '/agents/x/y'),
      {
        level: 'info',
        method: 'GET',
        route: 'none',
        status: 404,
        subrequests: {},
        code: 'unknown_path',
      },
    ],
    [
      'when its method is wrong',
      () => service.call('POST', '/agents/01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'),
      {
        level: 'info',
        method: 'POST',
        route: '/v1/agents/:id',
        status: 405,
        subrequests: {},
        code: 'method_not_allowed',
      },
    ],
    [
      'when it is a preflight',
      () => service.call('OPTIONS', '/agents/register'),
      { level: 'info', method: 'OPTIONS', route: '/v1/agents/register', status: 204, subrequests: {} },
    ],
    [
      'when the database is down',
      () => service.withFault(refuse, () => service.call('GET', '/agents')),
      {
        level: 'error',
        method: 'GET',
        route: '/v1/agents',
        status: 503,
        subrequests: { sql: 2 },
        code: 'dependency_unavailable',
        reason: 'unreachable',
      },
    ],
    [
      'when the RPC node is down',
      () => service.withRpcFault(refuse, () => service.call('GET', '/vault/terms')),
      {
        level: 'error',
        method: 'GET',
        route: '/v1/vault/terms',
        status: 503,
        subrequests: { rpc: 1 },
        code: 'dependency_unavailable',
        reason: 'getMultipleAccounts was not answered',
      },
    ],
    [
      'when the service has a fault',
      () => service.withFault(bug, () => call('POST', '/agents/register', { body: registration() })),
      {
        level: 'error',
        method: 'POST',
        route: '/v1/agents/register',
        status: 500,
        subrequests: { sql: 1 },
        code: 'internal_error',
        reason: 'SQLSTATE 42703',
      },
    ],
  ]

  it.each(cases)('%s', async (_when, request, expected) => {
    const answer = await request()
    const { durationMs, requestId, ...rest } = await lineOf(answer)
    expect(rest).toEqual(expected)
    expect(requestId).toBe(answer.headers.get('x-request-id'))
    expect(Number.isInteger(durationMs) && Number(durationMs) >= 0).toBe(true)
    // Lines arrive in order: a second one would be here with the next request's.
    await lineOf(await service.call('OPTIONS', '/agents'))
    expect(linesOf(answer)).toHaveLength(1)
  })
})

describe('subrequests are counted', () => {
  const costOf = async (answer: Answer) => (await lineOf(answer)).subrequests

  it('of a challenge and a login', async () => {
    const challenge = await service.call('GET', '/auth/handshake')
    expect(await costOf(challenge)).toEqual({ kv: 1 })
    const body = answerTo(challenge.body, createWallet())
    expect(await costOf(await service.call('POST', '/auth/handshake', { body }))).toEqual({ kv: 1, sql: 1 })
  })

  it('of a read, a hire and an error without subrequests', async () => {
    const agent = await register(call)
    expect(await costOf(await service.call('GET', `/agents/${agent.id}`))).toEqual({ sql: 1 })
    expect(await costOf(await call('POST', '/agents/hire', { body: { agentId: agent.id } }))).toEqual({
      sql: 1,
    })
    expect(await costOf(await call('POST', '/agents/hire', { body: {} }))).toEqual({})
  })

  it('of a stake, as the database and the node count them', async () => {
    const staker = await createStaker(service)
    let built: Answer | undefined
    let rpc = 0
    const sql = await service.countSql(async () => {
      rpc = await service.countRpc(async () => {
        built = await staker.stack(ONE, 7)
      })
    })
    expect([sql, rpc]).toEqual([2, 2])
    expect(built && (await costOf(built))).toEqual({ sql, rpc, worker: 2 })
  })

  it('of a verification, with its message', async () => {
    const body = { credentialType: 'certification', credentialId: 'audit-1' }
    const attested = await call('POST', '/reputation/attest/skill', { body })
    expect(attested.status, attested.text).toBe(201)
    const asked = await call('POST', '/reputation/verify', { body: { attestation_id: attested.body.id } })
    expect(await costOf(asked)).toEqual({ sql: 1, queue: 1 })
  })

  it('per attempt, for each of many concurrent requests', async () => {
    let failed = false
    // The job of the test above may still run: it must not meet the fault in place of a request.
    const isList = async (request: Request) => (await request.clone().text()).includes('from \\"agents\\"')
    const once: Fault = async (request) => {
      if (!(await isList(request)) || failed) return service.database.handler(request)
      failed = true
      return new Response('', { status: 503 })
    }
    const answers = await service.withFault(once, () =>
      Promise.all(Array.from({ length: 8 }, () => service.call('GET', '/agents'))),
    )
    const costs = await Promise.all(answers.map(costOf))
    expect(costs.filter((cost) => JSON.stringify(cost) === '{"sql":2}')).toHaveLength(1)
    expect(costs.filter((cost) => JSON.stringify(cost) === '{"sql":1}')).toHaveLength(7)
  })
})

describe('the input of a caller', () => {
  const MARK = 'Zm9yYmlkZGVu'

  it('can not forge a log line by a request id with a line break', async () => {
    const forged = `{"level":"error","requestId":"${MARK}"}`
    for (const lineBreak of ['\n', '\r', '\r\n ', '%0a']) {
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.end(
        `GET /v1/agents HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a${lineBreak}${forged}\r\nConnection: close\r\n\r\n`,
      )
      socket.resume()
      await once(socket, 'close')
    }
    await lineOf(await service.call('GET', '/agents'))
    expect(service.logs.texts.join('\n')).not.toContain(MARK)
  })
})
