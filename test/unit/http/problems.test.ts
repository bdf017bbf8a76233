import { describe, expect, it } from 'vitest'
import { ApiError, type ApiErrorDetails } from '../../../lib/api-error.ts'
import { problemResponse } from '../../../lib/http/problems.ts'
import { type ErrorCode, errors as problems, titleOf } from '../../../schema/errors.ts'

const codes = Object.keys(problems) as ErrorCode[]
const request = { url: 'https://api.agentcred.example/v1/agents?limit=x', id: 'request-1' }

describe('error codes', () => {
  it('all have a status and a documented meaning', () => {
    for (const code of codes) expect(problems[code].meaning).toMatch(/^[A-Z].{15,}\.$/)
  })

  it.each(codes)('%s is snake_case, with an error status and its own title', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(problems[code].status).toBeGreaterThanOrEqual(400)
    expect(problems[code].status).toBeLessThan(600)
    expect(codes.filter((other) => titleOf(other) === titleOf(code))).toEqual([code])
  })
})

describe('an error response', () => {
  it.each(codes)('of %s has exactly the members of RFC 9457, the code and the request id', async (code) => {
    const response = problemResponse(new ApiError(code, 'What happened.'), request)
    expect(response.status).toBe(problems[code].status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      type: `https://api.agentcred.example/v1/docs#error-${code}`,
      title: titleOf(code),
      status: problems[code].status,
      detail: 'What happened.',
      code,
      requestId: 'request-1',
    })
  })

  it('lists invalid fields, the time to retry, and headers for programs', async () => {
    const errors = [{ path: 'name', message: 'is required' }]
    const details: ApiErrorDetails = {
      errors,
      retryAfterSeconds: 60,
      allow: ['GET', 'OPTIONS'],
      challenge: { error: 'insufficient_scope', scope: 'agents:hire' },
      quota: { policy: 'wallet', limit: 120, period: 60 },
    }
    const response = problemResponse(new ApiError('rate_limited', 'Slow down.', details), request)
    expect(response.headers.get('retry-after')).toBe('60')
    expect(response.headers.get('allow')).toBe('GET, OPTIONS')
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="agentcred", error="insufficient_scope", scope="agents:hire"',
    )
    expect(response.headers.get('ratelimit-policy')).toBe('"wallet";q=120;w=60')
    expect(await response.json()).toMatchObject({ errors })
  })

  it('asks for a token if there is none', () => {
    const refusal = new ApiError('token_missing', 'Send a token.', { challenge: {} })
    expect(problemResponse(refusal, request).headers.get('www-authenticate')).toBe('Bearer realm="agentcred"')
  })

  it('does not reveal the cause', async () => {
    const refusal = new ApiError('login_refused', 'No.', { cause: new Error('secret') })
    expect(await problemResponse(refusal, request).text()).not.toContain('secret')
  })
})
