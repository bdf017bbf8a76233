import { afterEach, expect, it, vi } from 'vitest'
import { logRequest } from '../../../lib/http/request-log.ts'

afterEach(() => vi.restoreAllMocks())

it.each([
  [200, 'log'],
  [499, 'log'],
  [500, 'error'],
  [503, 'error'],
] as const)('logs a request with status %i by console.%s alone', (status, stream) => {
  const lines = { log: vi.spyOn(console, 'log'), error: vi.spyOn(console, 'error') }
  for (const spy of Object.values(lines)) spy.mockImplementation(() => {})
  const record = {
    requestId: 'r',
    method: 'GET',
    route: '/agents',
    status,
    durationMs: 1,
    subrequests: { sql: 1 },
  }
  logRequest(record)
  const other = stream === 'log' ? lines.error : lines.log
  expect(lines[stream]).toHaveBeenCalledOnce()
  expect(JSON.parse(String(lines[stream].mock.calls[0]?.[0]))).toMatchObject(record)
  expect(other).not.toHaveBeenCalled()
})
