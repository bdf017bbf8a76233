import { expect, it, onTestFinished } from 'vitest'
import { openNeon } from '../../../lib/cli/setup/neon-client.ts'
import { serveOnLoopback } from '../../../lib/local/loopback.ts'
import { answerNeon, NEON_KEY, neonState } from '../../support/cloud/neon.ts'

/** A client of a fake, and how long it has paused. */
async function clientOf(locked: number) {
  const state = Object.assign(neonState('postgres://none'), { locked })
  const answer = async (request: Request) => {
    const url = new URL(request.url)
    const body = await request.text()
    const { method, headers } = request
    const inner = new Request(`http://neon${url.pathname}${url.search}`, {
      method,
      headers,
      ...(body === '' ? {} : { body }),
    })
    return answerNeon(state, inner, (why) => expect.fail(why))
  }
  const { origin, close } = await serveOnLoopback('Neon', answer, 0)
  onTestFinished(close)
  const pauses: number[] = []
  const env = { NEON_API_KEY: NEON_KEY, NEON_API_BASE_URL: origin }
  const client = openNeon(env, { timeoutMs: 60_000 }, async (ms) => void pauses.push(ms))
  return { client, pauses, state }
}

const org_id = 'org-calm-sea-1'

it('asks again, ever later, while an operation of the project goes on', async () => {
  const { client, pauses, state } = await clientOf(3)
  await client.createProject({ project: { name: 'agentcred', org_id } })
  expect([state.made, pauses]).toEqual([1, [1_000, 2_000, 4_000]])
})

it('gives up after a minute, and leaves other failures alone', async () => {
  const { client, pauses } = await clientOf(Number.POSITIVE_INFINITY)
  await expect(client.getProject('any')).rejects.toMatchObject({ response: { status: 423 } })
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000)
  const other = await clientOf(0)
  await expect(other.client.getProject('nope')).rejects.toMatchObject({ response: { status: 404 } })
  expect(other.pauses).toEqual([])
})
