import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRoutes } from '../../lib/tools/description/routes.ts'
import { VERSION } from '../../schema/release.ts'
import { register, registration } from '../support/agents.ts'
import { type Answer, type Call, type Service, startService } from '../support/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.signIn()).call
})
afterAll(() => service.stop())

const lineOf = (answer: Answer) => service.logs.of(answer.headers.get('x-request-id'))

describe('the input of a caller', () => {
  const MARK = 'Zm9yYmlkZGVu'
  const hostileIds = [`"${MARK}`, `${MARK}","level":"error`, `${MARK} ${MARK}`, `{"${MARK}":1}`, `${MARK}\\n`]

  it('never appears in a log line', async () => {
    const { wallet, token } = await service.signIn()
    const agent = await register(call, { name: `Agent ${MARK}` })
    const routes = await readRoutes()
    const answers: Answer[] = []
    const runJobs = async (isFailing: boolean) => {
      for (const [i, { method, path }] of routes.entries()) {
        const concrete = path.replace('{id}', agent.id).replace('{pubkey}', wallet.publicKey)
        const send = (options: { token?: string; raw?: string }) =>
          service.call(
            method,
            `${concrete === '/' ? '' : concrete}?owner=${wallet.publicKey}&q=${MARK}&deep=${MARK}`,
            {
              ...options,
              headers: {
                'content-type': 'application/json',
                'x-request-id': hostileIds[i % hostileIds.length] ?? '',
                'user-agent': MARK,
                cookie: `session=${MARK}`,
                origin: `https://${MARK}.example`,
                referer: `https://example.com/${MARK}`,
              },
            },
          )
        const raw =
          method === 'GET'
            ? {}
            : { raw: JSON.stringify({ name: MARK, nonce: MARK, [MARK]: wallet.publicKey }) }
        answers.push(await send({ ...raw, token }))
        // It is refused before anybody is asked.
        if (!isFailing) answers.push(await send({ ...raw, token: `${MARK}.${MARK}.${MARK}` }))
      }
      const register = { body: registration({ name: MARK, apiEndpoint: `https://${MARK}.example` }), token }
      answers.push(await service.call('POST', '/agents/register', register))
      answers.push(await service.call('GET', `/${MARK}/${wallet.publicKey}?${MARK}`))
      answers.push(await service.call('DELETE', `/agents/${MARK}`, { raw: MARK }))
    }
    const faulty = () => runJobs(true)
    await runJobs(false)
    await service.withFault(() => new Response(MARK, { status: 503 }), faulty)
    await service.withFault(() => Response.json({ message: MARK, code: '42703' }, { status: 400 }), faulty)
    await service.withRpcFault(() => Response.json({ error: { code: 1, message: MARK } }), faulty)
    await Promise.all(answers.map(lineOf))

    expect(answers.map(({ status }) => status)).toEqual(
      expect.arrayContaining([200, 400, 401, 404, 500, 503]),
    )
    const texts = service.logs.texts.join('\n')
    const { SESSION_SIGNING_KEY } = service.keys
    const secrets = [
      MARK,
      MARK.toLowerCase(),
      token,
      wallet.publicKey,
      agent.id,
      String(JSON.parse(SESSION_SIGNING_KEY).d),
      service.solana.keys.authority,
      'postgresql:',
      'http:',
      'https:',
      'select',
      'insert',
    ]
    for (const secret of secrets) expect(texts).not.toContain(secret)
  })

  it('leaves every log line a JSON object of known members', async () => {
    const members = ['level', 'requestId', 'method', 'route', 'status', 'durationMs', 'subrequests']
    expect(service.logs.texts.length).toBeGreaterThan(100)
    expect(service.logs.lines).toHaveLength(service.logs.texts.length)
    expect(service.logs.texts.filter((text) => /[\r\n]/.test(text))).toEqual([])
    expect(new Set(service.logs.texts.map((text) => JSON.parse(text).release))).toEqual(new Set([VERSION]))
    const patterns = new Set((await readRoutes()).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')))
    for (const line of service.logs.lines.filter((each) => 'route' in each)) {
      expect(Object.keys(line).slice(0, members.length)).toEqual(members)
      expect(['code', 'reason']).toEqual(expect.arrayContaining(Object.keys(line).slice(members.length)))
      expect(line.requestId).toMatch(/^[\w=-]{1,64}$/)
      const route = String(line.route)
      expect(route === 'none' || patterns.has(route.replace(/^\/v1/, '') || '/'), route).toBe(true)
      expect(line.level).toBe(Number(line.status) >= 500 ? 'error' : 'info')
    }
  })
})
