import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, type Fault, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['root'] })
})
afterAll(() => service.stop())

const deep = () => service.call('GET', '/health?deep=1')
/** After what was answered before no longer holds. */
const later =
  <T>(ask: () => Promise<T>) =>
  async () => {
    await service.clock.travelTo(service.clock.now() + 6_000)
    return ask()
  }

const refuse: Fault = () => {
  throw new Error('connection refused')
}
const silent: Fault = () => new Promise(() => {})
const nonsense: Fault = () => Response.json({ hello: 'world' })

const statuses = ({ body }: Answer) =>
  Object.fromEntries(
    Object.entries(body.checks as Record<string, { status: string }>).map(([name, { status }]) => [
      name,
      status,
    ]),
  )

describe('a shallow check', () => {
  it('answers ok without probing anything, even while everything is down', async () => {
    const answers: Answer[] = []
    let rpc = 0
    const sql = await service.countSql(async () => {
      rpc = await service.countRpc(async () => {
        answers.push(await service.call('GET', '/health'), await service.call('GET', '/health?deep=0'))
        answers.push(
          await service.withFault(silent, () =>
            service.withRpcFault(silent, () => service.call('GET', '/health')),
          ),
        )
      })
    })
    expect([sql, rpc]).toEqual([0, 0])
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ status: 'ok' })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('etag')).toBeNull()
    }
  })
})

describe('a deep check', () => {
  it('probes the database, KV and the RPC node once each, and measures them', async () => {
    let answer: Answer | undefined
    let rpc = 0
    const sql = await service.countSql(async () => {
      rpc = await service.countRpc(async () => {
        answer = await deep()
      })
    })
    expect([sql, rpc]).toEqual([1, 1])
    const up = { status: 'up', latencyMs: expect.any(Number) }
    expect(answer?.body).toEqual({ status: 'ok', checks: { database: up, kv: up, rpc: up } })
  })

  it('is never answered from a cache', async () => {
    const first = await deep()
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.headers.get('etag')).toBeNull()
    const again = await service.call('GET', '/health?deep=1', { headers: { 'if-none-match': '*' } })
    expect(again.status).toBe(200)
    expect((await service.withFault(refuse, later(deep))).status).toBe(503)
    expect((await later(deep)()).status).toBe(200)
  })

  it('answers HEAD with the status only', async () => {
    const head = () => service.call('HEAD', '/health?deep=1')
    expect((await head()).status).toBe(200)
    const down = await service.withFault(refuse, later(head))
    expect(down.status).toBe(503)
    expect(down.headers.get('retry-after')).toBe('5')
  })

  it.each(['', '2', 'true', '-1', '01', '1 '])('rejects deep=%s', async (value) => {
    const answer = await service.call('GET', `/health?deep=${encodeURIComponent(value)}`)
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path: 'deep' }] })
  })
})

const faults: [string, Fault][] = [
  ['refuses', refuse],
  ['answers 500', () => new Response('<h1>secret</h1>', { status: 500 })],
  ['answers a page', () => new Response('<html>secret</html>')],
  ['answers nonsense', nonsense],
  ['answers an error', () => Response.json({ message: 'secret', code: '28P01' }, { status: 400 })],
  ['answers a JSON-RPC error', () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32_005 } })],
]

describe.each(faults)('when something %s', (_how, fault) => {
  it('names it in the error with all checks, without internals', async () => {
    const database = await service.withFault(fault, later(deep))
    const rpc = await service.withRpcFault(fault, later(deep))
    const both = await service.withFault(fault, () => service.withRpcFault(fault, later(deep)))
    expect(statuses(database)).toEqual({ database: 'down', kv: 'up', rpc: 'up' })
    expect(statuses(rpc)).toEqual({ database: 'up', kv: 'up', rpc: 'down' })
    expect(statuses(both)).toEqual({ database: 'down', kv: 'up', rpc: 'down' })
    for (const answer of [database, rpc, both]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.text).not.toMatch(/secret|postgresql|agentcred\.internal|select|28P01|refused|-32005/i)
    }
    const requestId = both.headers.get('x-request-id')
    expect(both.body).toEqual({
      type: `${service.origin}/v1/docs#error-dependency_unavailable`,
      title: 'Dependency unavailable',
      status: 503,
      detail: 'Down: database, rpc.',
      code: 'dependency_unavailable',
      requestId,
      checks: both.body.checks,
    })
    expect(await service.logs.of(requestId)).toMatchObject({
      level: 'error',
      route: '/v1/health',
      status: 503,
      reason: 'down: database, rpc',
    })
  })
})

it('reports a system as down when its time limit has passed', async () => {
  const constants = { root: { PROBE_TIMEOUT_MS: 1_000 } }
  const impatient = await startService({ groups: ['root'], constants })
  onTestFinished(() => impatient.stop())
  const check = () => impatient.call('GET', '/health?deep=1')
  const answer = await impatient.withFault(silent, () => impatient.withRpcFault(silent, check))
  // KV may be late by so short a limit.
  expect(statuses(answer)).toMatchObject({ database: 'down', rpc: 'down' })
  const { database, rpc } = answer.body.checks as Record<'database' | 'rpc', { latencyMs: number }>
  for (const { latencyMs } of [database, rpc]) expect(latencyMs).toBeGreaterThanOrEqual(990)
})

it('reports a Worker that fails, or has no Health entrypoint, as down', async () => {
  const broken = await startService({
    groups: ['root'],
    scripts: {
      vault: `
        import { WorkerEntrypoint } from 'cloudflare:workers'
        export class LocalClock extends WorkerEntrypoint {}
        export class Health extends WorkerEntrypoint {}
        export default { fetch: () => new Response() }`,
      auth: `
        import { WorkerEntrypoint } from 'cloudflare:workers'
        export class LocalClock extends WorkerEntrypoint {}
        export class Health extends WorkerEntrypoint {
          database() { throw new Error('secret') }
          kv() { return { nonsense: true } }
        }
        export default { fetch: () => new Response() }`,
    },
  })
  onTestFinished(() => broken.stop())
  const answer = await broken.call('GET', '/health?deep=1')
  expect(answer.status).toBe(503)
  expect(statuses(answer)).toEqual({ database: 'down', kv: 'down', rpc: 'down' })
  expect(answer.text).not.toMatch(/secret|method|entrypoint/i)
  expect((await broken.call('GET', '/health')).status).toBe(200)
})
