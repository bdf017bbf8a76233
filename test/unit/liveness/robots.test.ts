import fc from 'fast-check'
import robotsParser from 'robots-parser'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PROBE_TOKEN, wantsNoProbes } from '../../../lib/liveness/robots.ts'

afterEach(() => vi.restoreAllMocks())

const ROBOTS_URL = 'https://agent.example.com/robots.txt'

const isOut = (text: string, path = '/a2a') => wantsNoProbes(text, `https://agent.example.com${path}`)

describe('a robots.txt', () => {
  it.each([
    'User-agent: AgentCred-Probe\nDisallow: /',
    'user-agent:agentcred-probe\r\ndisallow: /a2a',
    'User-agent: AgentCred-Probe\nDisallow: /**2a',
    'User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nUser-agent: AgentCred-Probe/1 # us\nDisallow: /',
  ])('opts out by naming the probes: %j', (text) => {
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
  ])('does not opt out without a rule for the probes and the path: %j', (text) => {
    expect(isOut(text)).toBe(false)
  })

  it.each([
    ['/*ab*ba', '/aba', false],
    ['/*ab*ba', '/abba', true],
    ['/ab*b$', '/ab', false],
    ['/a*b$', '/ab', true],
  ])('matches each part of %s behind the one before when the path is %s', (pattern, path, isMatch) => {
    expect(isOut(`User-agent: AgentCred-Probe\nDisallow: ${pattern}`, path)).toBe(isMatch)
  })

  it('is read line by line when it has hundreds of agent lines and wildcard rules', () => {
    const agents = Array<string>(250).fill('User-agent: AgentCred-Probe')
    const rules = Array.from({ length: 40 }, (_, n) => `Disallow: ${'*a'.repeat(110)}b${n}`)
    const text = [...agents, ...rules].join('\n')
    const patterns = vi.spyOn(globalThis, 'encodeURI')
    const searches = vi.spyOn(String.prototype, 'indexOf')
    expect(isOut(text, `/${'a'.repeat(2_000)}`)).toBe(false)
    expect(patterns.mock.calls.length).toBeLessThanOrEqual(rules.length)
    // One for each wildcard.
    expect(searches.mock.calls.length).toBeLessThanOrEqual(text.split('*').length)
  })

  it('is read like robots-parser reads it', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '$', '%2f', 'é', '?', '%')
    const path = fc.array(fc.constantFrom('a', 'b', '/', '%2f', 'é', '?', '$'), { maxLength: 8 })
    const line = fc.oneof(
      fc.constantFrom(
        'User-agent: AgentCred-Probe',
        'user-agent:agentcred-probe/2',
        'User-agent: *',
        '',
        'Sitemap: x',
      ),
      fc
        .tuple(fc.constantFrom('Allow:', 'Disallow: ', ' disallow :'), fc.array(piece, { maxLength: 7 }))
        .map(([key, pattern]) => key + pattern.join('')),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), path, (lines, pieces) => {
        const text = ['User-agent: AgentCred-Probe', ...lines].join('\n')
        const url = new URL(`https://agent.example.com/${pieces.join('')}`).href
        expect(wantsNoProbes(text, url)).toBe(robotsParser(ROBOTS_URL, text).isDisallowed(url, PROBE_TOKEN))
      }),
      { numRuns: 2_000 },
    )
  })
})
