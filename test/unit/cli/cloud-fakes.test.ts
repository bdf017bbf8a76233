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
