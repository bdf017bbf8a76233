import { describe, expect, it } from 'vitest'
import { wantsNoProbes } from '../../../lib/liveness/robots.ts'

const isOut = (text: string, path = '/a2a') =>
  wantsNoProbes({ url: 'https://agent.example.com/robots.txt', text }, `https://agent.example.com${path}`)

describe('a robots.txt', () => {
  it.each([
    'User-agent: AgentCred-Probe\nDisallow: /',
    'user-agent:agentcred-probe\r\ndisallow: /a2a',
    'User-agent: AgentCred-Probe\nDisallow: /**2a',
    'User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nUser-agent: AgentCred-Probe/1 # us\nDisallow: /',
  ])('that names our probes opts out: %j', (text) => {
    expect(isOut(text)).toBe(true)
  })

  it.each([
    '',
    'User-agent: *\nDisallow: /',
    'User-agent: AgentCred-Probes\nDisallow: /',
    '# User-agent: AgentCred-Probe\nUser-agent: *\nDisallow: /',
    'User-agent: AgentCred-Probe\nDisallow: /private\n\nUser-agent: *\nDisallow: /',
    'User-agent: AgentCred-Probe\nAllow: /a2a\nDisallow: /',
    '<html>not found</html>',
  ])('that says nothing to our probes of this path does not: %j', (text) => {
    expect(isOut(text)).toBe(false)
  })

  it('costs little to read whatever it says', () => {
    const hostile = `User-agent: AgentCred-Probe\nDisallow: ${'*a'.repeat(8_000)}`
    expect(isOut(hostile, `/${'a'.repeat(2_000)}`)).toBe(false)
  })
})
