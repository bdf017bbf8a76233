import { describe, expect, it } from 'vitest'
import { AgentCredError } from '../../../lib/client/error.ts'
import { delayBefore } from '../../../lib/client/send.ts'

const unreachable = new AgentCredError('unreachable', '')
const busy = new AgentCredError('dependency_unavailable', '', { status: 503 })
const limited = new AgentCredError('rate_limited', '', { status: 429, retryAfterMs: 7_000 })

describe('a failed request', () => {
  it.each(['GET /agents', 'DELETE /agents/hire', 'PATCH /agents/{id}', 'POST /vault/transactions'])(
    '%s is sent again after an outage: a second one changes nothing',
    (operation) => {
      expect(delayBefore(operation, unreachable, 1, 0)).toBe(125)
      expect(delayBefore(operation, busy, 1, 0)).toBe(125)
    },
  )

  it.each(['POST /agents/hire', 'POST /agents/register', 'POST /vault/stack', 'POST /auth/handshake'])(
    '%s is not: the first may have been done',
    (operation) => {
      expect(delayBefore(operation, unreachable, 1, 0)).toBeUndefined()
      expect(delayBefore(operation, busy, 1, 0)).toBeUndefined()
    },
  )

  it('is sent again when it was rate-limited, not before the time in Retry-After', () => {
    for (const random of [0, 0.5, 0.999]) {
      expect(delayBefore('POST /agents/hire', limited, 1, random)).toBeGreaterThanOrEqual(7_000)
      expect(delayBefore('POST /agents/hire', limited, 1, random)).toBeLessThan(7_250)
    }
  })

  it('waits longer each time, and never all clients equally long', () => {
    const delays = [1, 2, 3, 4].map((failures) => delayBefore('GET /agents', busy, failures, 0))
    expect(delays).toEqual([125, 250, 500, 1_000])
    expect(delayBefore('GET /agents', busy, 4, 1)).toBe(2_000)
  })

  it('is not sent again when that would take more than half a minute', () => {
    const long = new AgentCredError('rate_limited', '', { status: 429, retryAfterMs: 31_000 })
    expect(delayBefore('GET /agents', long, 1, 0)).toBeUndefined()
  })

  it('is sent again after a gateway’s error, and after no other page', () => {
    const page = (status: number) => new AgentCredError('unexpected_answer', '', { status })
    expect(delayBefore('GET /agents', page(502), 1, 0)).toBe(125)
    expect(delayBefore('POST /agents/hire', page(502), 1, 0)).toBeUndefined()
    expect(delayBefore('GET /agents', page(200), 1, 0)).toBeUndefined()
  })

  it.each(['stacking_paused', 'internal_error', 'agent_not_found', 'token_invalid'])(
    'is not sent again for %s',
    (code) => {
      expect(delayBefore('GET /agents', new AgentCredError(code, '', { status: 503 }), 1, 0)).toBeUndefined()
    },
  )

  it('is not sent again without an answer: an aborted signal, a bug of the service', () => {
    for (const error of [new DOMException('', 'AbortError'), new TypeError(), 'text'])
      expect(delayBefore('GET /agents', error, 1, 0)).toBeUndefined()
  })
})
