import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { terminalLine } from '../../../lib/cli/dev-output.ts'

const lineOf = (fields: object, isVerbose = false) => {
  const level = 'level' in fields && fields.level === 'error' ? 'error' : 'log'
  const message = JSON.stringify({ level: 'info', release: '1.0.0', ...fields })
  const line = terminalLine({ level, message }, isVerbose)
  return line === undefined ? undefined : stripVTControlCharacters(line)
}
const REQUEST = {
  requestId: 'r',
  method: 'GET',
  route: '/v1/agents',
  status: 200,
  durationMs: 4,
  subrequests: {},
}

describe('a line of a Worker’s log', () => {
  it('is short when it is of a request', () => {
    expect(lineOf(REQUEST)).toBe('GET /v1/agents 200 4 ms')
  })

  it('says why when a request was refused or failed', () => {
    expect(lineOf({ ...REQUEST, status: 404, code: 'agent_not_found' })).toBe(
      'GET /v1/agents 404 4 ms agent_not_found',
    )
    const failed = {
      ...REQUEST,
      level: 'error',
      status: 503,
      code: 'dependency_unavailable',
      reason: 'database',
    }
    expect(lineOf(failed)).toBe('GET /v1/agents 503 4 ms dependency_unavailable: database')
  })

  it('is shown with --verbose alone when it is of a job that ran well', () => {
    const job = { job: 'deliver', sent: 3, kinds: ['hires'] }
    expect(lineOf(job)).toBeUndefined()
    expect(lineOf(job, true)).toBe('job=deliver sent=3 kinds=["hires"]')
  })

  it('is always shown when it is of a job that failed', () => {
    expect(lineOf({ level: 'error', job: 'deliver', reason: 'no key' })).toBe(
      'error job=deliver reason=no key',
    )
  })

  it('is shown as it is when it is no JSON', () => {
    for (const message of ['workerd: warning', '{broken'])
      expect(stripVTControlCharacters(terminalLine({ level: 'warn', message }) ?? '')).toBe(message)
  })
})
