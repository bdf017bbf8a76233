import { describe, expect, it } from 'vitest'
import { errorMeanings } from '../../../lib/description/errors.ts'
import { problemResponse, problems } from '../../../lib/http/problems.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { ErrorCode } from '../../../schema/error-codes.ts'

const codes = Object.keys(problems) as ErrorCode[]
const request = { url: 'https://api.agentcred.example/v1/agents?limit=x', id: 'request-1' }

describe('error codes', () => {
  it('all have a status and a documented meaning', () => {
    expect(Object.keys(errorMeanings).sort()).toEqual([...codes].sort())
    for (const code of codes) expect(errorMeanings[code]).toMatch(/^[A-Z].{15,}\.$/)
  })

  it.each(codes)('%s is snake_case, with an error status and a title of its own', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(problems[code].status).toBeGreaterThanOrEqual(400)
    expect(problems[code].status).toBeLessThan(600)
    expect(codes.filter((other) => problems[other].title === problems[code].title)).toEqual([code])
  })
})

describe('an error response', () => {
  it.each(codes)('of %s has exactly the members of RFC 9457, the code and the request id', async (code) => {
    const response = problemResponse(new Refusal(code, 'What happened.'), request)
    expect(response.status).toBe(problems[code].status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      type: `https://api.agentcred.example/v1/docs#error-${code}`,
      title: problems[code].title,
      status: problems[code].status,
      detail: 'What happened.',
      code,
      requestId: 'request-1',
    })
  })

  it('lists refused fields, says when to try again and carries the headers of the refusal', async () => {
    const errors = [{ path: 'name', message: 'is required' }]
    const details = { errors, retryAfterSeconds: 60, headers: { allow: 'GET' } }
    const response = problemResponse(new Refusal('rate_limited', 'Slow down.', details), request)
    expect(response.headers.get('retry-after')).toBe('60')
    expect(response.headers.get('allow')).toBe('GET')
    expect(await response.json()).toMatchObject({ errors })
  })

  it('tells nothing of the cause', async () => {
    const refusal = new Refusal('login_refused', 'No.', { cause: new Error('secret') })
    expect(await problemResponse(refusal, request).text()).not.toContain('secret')
  })
})
