import { afterAll, beforeAll, expect, it } from 'vitest'
import { errors } from '../../schema/errors.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

it('describes itself at the base address, with and without the slash', async () => {
  const [bare, slash] = [await service.call('GET', ''), await service.call('GET', '/')]
  expect(bare.body).toMatchObject({ name: 'AgentCred', version: '1.0.0', status: 'operational' })
  expect(slash.body).toEqual(bare.body)
})

it('leads people from the host’s root to the console, and software to what we publish', async () => {
  const answer = await fetch(`${service.origin}/`, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('/console/')
  expect(answer.headers.get('link')).toBe('</.well-known/ard.json>; rel="ard"')
})

it('serves its description as OpenAPI 3.1', async () => {
  const { body, headers } = await service.call('GET', '/openapi.json')
  expect(headers.get('content-type')).toContain('application/json')
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths as object)).toContain('/agents/hire')
})

it('serves a reference that may load nothing and explains every error code', async () => {
  const { text, headers } = await service.call('GET', '/docs')
  expect(headers.get('content-type')).toContain('text/html')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(text).not.toMatch(/<(script|link|img|iframe)\b|@import|url\(/i)
  for (const code of Object.keys(errors)) expect(text).toContain(`id="error-${code}"`)
  const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  for (const id of anchors) expect(text).toContain(`id="${id}"`)
})
