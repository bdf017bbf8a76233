import { describe, expect, it } from 'vitest'
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

describe('the fake of Cloudflare', () => {
  /** Uploads and deploys versions of a Worker. @returns the id, or the code and message of a refusal */
  function worker() {
    const state = cloudflareState()
    const send = async (method: string, path: string, body: FormData | string, query = '') => {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      }
      const url = `http://cloudflare/accounts/${ACCOUNT}/workers/scripts/a${path}${query}`
      const answer = await answerCloudflare(state, new Request(url, { method, headers, body }), () => {})
      const { result, errors } = (await answer.json()) as {
        result: { id: string } | null
        errors: { code: number; message: string }[]
      }
      return result?.id ?? `${errors[0]?.code} ${errors[0]?.message}`
    }
    const upload = (method: string, path: string, secret: string, of: { code?: string; tag?: string }) => {
      const { code = 'export{a as default,b as Clock};', tag } = of
      const form = new FormData()
      const metadata = {
        ...{ main_module: 'a.js', compatibility_date: '2026-10-20' },
        bindings: [{ type: 'secret_text', name: 'KEY', text: secret }],
        ...(tag && { migrations: { new_tag: tag, steps: [{ new_sqlite_classes: ['Clock'] }] } }),
      }
      form.set('metadata', JSON.stringify(metadata))
      form.set('a.js', new File([code], 'a.js'))
      return send(method, path, form)
    }
    const deploy = (version_id: string, query = '') =>
      send(
        'POST',
        '/deployments',
        JSON.stringify({ strategy: 'percentage', versions: [{ version_id, percentage: 100 }] }),
        query,
      )
    return { upload, deploy }
  }

  it('refuses a version from before a secret has changed, unless it is forced', async () => {
    const { upload, deploy } = worker()
    const one = await upload('PUT', '', 'first', { tag: 'v1' }).then(() =>
      upload('POST', '/versions', 'first', {}),
    )
    const two = await upload('POST', '/versions', 'first', {})
    for (const version of [two, one, two]) expect(await deploy(version)).not.toMatch(/^\d{5} /)
    const three = await upload('POST', '/versions', 'second', {})
    expect(await deploy(three)).not.toMatch(/^\d{5} /)
    expect(await deploy(two)).toBe('10220 The following secrets have changed: KEY')
    expect(await deploy(two, '?force=true')).not.toMatch(/^\d{5} /)
  })

  it('refuses code without a class that a Worker has', async () => {
    const { upload } = worker()
    const code = 'export{a as default};'
    expect(await upload('PUT', '', 'x', { code })).toBe('a')
    expect(await upload('PUT', '', 'x', { tag: 'v1' })).toBe('a')
    expect(await upload('POST', '/versions', 'x', { code })).toMatch(
      /^10064 .* does not export class 'Clock'/,
    )
  })
})
