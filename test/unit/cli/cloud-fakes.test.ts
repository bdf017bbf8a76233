import { expect, it } from 'vitest'
import { ACCOUNT, answerCloudflare, cloudflareState, TOKEN } from '../../support/cloud/cloudflare.ts'
import { answerNeon, NEON_KEY, neonState } from '../../support/cloud/neon.ts'

const queues = `/accounts/${ACCOUNT}/queues`

it.each<[string, string, string, unknown, RegExp]>([
  ['a field that is not published', 'POST', queues, { queue_name: 'abc', size: 1 }, /body does not fit/],
  ['a field that is missing', 'POST', queues, {}, /body does not fit/],
  ['a field of another type', 'POST', queues, { queue_name: 7 }, /body does not fit/],
  [
    'a query that is not published',
    'GET',
    `${queues}?title=x`,
    undefined,
    /the query title is not published/,
  ],
  ['a body where there is none', 'POST', '/zones', {}, /does not know it/],
  [
    'a removal by a query that is not published',
    'DELETE',
    `/accounts/${ACCOUNT}/workers/scripts/x?cascade=true`,
    undefined,
    /the query cascade is not published/,
  ],
  ['a removal with a body', 'DELETE', `${queues}/x`, { force: true }, /it takes no body/],
])('the fake of Cloudflare refuses %s', async (_what, method, path, body, why) => {
  const misfits: string[] = []
  const request = new Request(`http://cloudflare${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await answerCloudflare(cloudflareState(), request, (text) => misfits.push(text))
  expect([answer.status, misfits]).toEqual([400, [expect.stringMatching(why)]])
})

it.each<[string, unknown, RegExp]>([
  ['a region that there can’t be', { project: { name: 'a', region_id: 'moon' } }, /body does not fit/],
  ['a project outside of "project"', { name: 'a' }, /body does not fit/],
  [
    'a history of more days than there can be',
    { project: { name: 'a', history_retention_seconds: 2_592_001 } },
    /body does not fit/,
  ],
])('the fake of Neon refuses %s', async (_what, body, why) => {
  const misfits: string[] = []
  const request = new Request('http://neon/projects', {
    method: 'POST',
    headers: { authorization: `Bearer ${NEON_KEY}` },
    body: JSON.stringify(body),
  })
  const answer = await answerNeon(neonState('postgres://none'), request, (text) => misfits.push(text))
  expect([answer.status, misfits]).toEqual([400, [expect.stringMatching(why)]])
})

it('the fake of Neon refuses a history that the plan does not allow, in Neon’s words', async () => {
  const state = neonState('postgres://none')
  const create = async (plan: string, history_retention_seconds: number) => {
    Object.assign(state.organizations[0] ?? {}, { plan })
    const request = new Request('http://neon/projects', {
      method: 'POST',
      headers: { authorization: `Bearer ${NEON_KEY}` },
      body: JSON.stringify({ project: { org_id: 'org-calm-sea-1', history_retention_seconds } }),
    })
    return (await answerNeon(state, request, () => {})).json() as Promise<{ message?: string }>
  }
  expect((await create('free_v3', 86_400)).message).toBe(
    'requested history retention seconds exceeds allowed maximum; requested_history_retention_seconds:"86400", max:"21600"',
  )
  expect((await create('launch_v3', 604_801)).message).toContain('max:"604800"')
  expect((await create('launch_v3', 604_800)).message).toBeUndefined()
})
