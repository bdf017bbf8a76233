import { createSignInMessageText, parseSignInMessage } from '@solana/wallet-standard-util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { challengeText, requesterOf, serviceOf, signInInput, signInText } from '../../../lib/auth/messages.ts'
import { times, wallets } from '../../support/arbitraries.ts'

const SERVICE = 'https://api.agentcred.example/v1/auth/handshake'

const requesters = fc
  .oneof(
    fc.webUrl(),
    fc.webAuthority().map((authority) => `https://${authority}`),
    fc.string(),
  )
  .map((origin) => requesterOf(origin, SERVICE))

const challengeFields = fc
  .record({
    requester: requesters,
    nonce: fc.stringMatching(/^[0-9a-f]{32}$/),
    issuedAt: times,
    expiresAt: times,
    service: fc.webUrl(),
  })
  .map(({ requester, ...rest }) => ({ ...requester, ...rest }))

const fixed = {
  domain: 'app.example',
  uri: 'https://app.example',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: new Date('2026-11-01T12:00:00.000Z'),
  expiresAt: new Date('2026-11-01T12:05:00.000Z'),
  service: serviceOf('https://api.example'),
}

describe('the challenge text', () => {
  it('states the service, the page, the nonce and the times, one a line', () => {
    expect(challengeText(fixed)).toBe(
      `AgentCred login

Sign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.

Service: https://api.example/v1
Domain: app.example
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-11-01T12:00:00.000Z
Expires At: 2026-11-01T12:05:00.000Z`,
    )
  })

  it('never resembles a Sign-In-With-Solana message, for any page', () => {
    fc.assert(
      fc.property(challengeFields, (given) => {
        const text = challengeText(given)
        expect(text).not.toMatch(/wants you to sign in with your Solana account/)
        expect(parseSignInMessage(new TextEncoder().encode(text))).toBeNull()
      }),
    )
  })

  it('has the same lines for every Origin', () => {
    fc.assert(
      fc.property(challengeFields, (given) => {
        expect(challengeText(given).split('\n')).toHaveLength(9)
      }),
    )
  })
})

describe('the Sign-In-With-Solana message', () => {
  it('is the text that a wallet makes from the input', () => {
    fc.assert(
      fc.property(challengeFields, wallets, (given, wallet) => {
        const input = signInInput({ ...given, wallet })
        expect(signInText(input)).toBe(createSignInMessageText({ ...input, resources: [given.service] }))
      }),
    )
  })

  it('parses back to the input', () => {
    fc.assert(
      fc.property(challengeFields, wallets, (given, wallet) => {
        const input = signInInput({ ...given, wallet })
        const read = parseSignInMessage(new TextEncoder().encode(signInText(input)))
        expect(read).toEqual({
          ...input,
          chainId: undefined,
          notBefore: undefined,
          requestId: undefined,
        })
      }),
    )
  })
})

describe('the requester', () => {
  const service = { domain: 'api.agentcred.example', uri: 'https://api.agentcred.example' }

  it.each([
    ['https://app.example', { domain: 'app.example', uri: 'https://app.example' }],
    ['https://app.example:8443', { domain: 'app.example:8443', uri: 'https://app.example:8443' }],
    ['https://app.example:443', { domain: 'app.example', uri: 'https://app.example' }],
    ['http://localhost:5173', { domain: 'localhost:5173', uri: 'http://localhost:5173' }],
    ['http://[::1]:3000', { domain: '[::1]:3000', uri: 'http://[::1]:3000' }],
    ['https://APP.Example', { domain: 'app.example', uri: 'https://app.example' }],
    ['https://bücher.example', { domain: 'xn--bcher-kva.example', uri: 'https://xn--bcher-kva.example' }],
    ['chrome-extension://abcdef', { domain: 'abcdef', uri: 'chrome-extension://abcdef' }],
    ['capacitor://localhost', { domain: 'localhost', uri: 'capacitor://localhost' }],
  ])('is the page of the Origin %s', (origin, expected) => {
    expect(requesterOf(origin, SERVICE)).toEqual(expected)
  })

  it.each([
    undefined,
    '',
    'null',
    'app.example',
    '//app.example',
    'https://',
    'file:///home/user/page.html',
    'data:text/html,x',
    'https://a b',
    'about:blank',
    'javascript:alert(1)',
    `https://${'a'.repeat(256)}.example`,
  ])('is the service itself with the Origin %j', (origin) => {
    expect(requesterOf(origin, SERVICE)).toEqual(service)
  })

  it('is the service with its port if it has one', () => {
    expect(requesterOf(undefined, 'http://localhost:8787/v1/auth/handshake?publicKey=x')).toEqual({
      domain: 'localhost:8787',
      uri: 'http://localhost:8787',
    })
  })

  it('contains no path, query, credentials, white space or control character', () => {
    expect(requesterOf('https://user:secret@app.example/path?query#hash', SERVICE)).toEqual({
      domain: 'app.example',
      uri: 'https://app.example',
    })
    const opaque = fc.string({ unit: 'binary' }).map((host) => `app://${host}`)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), opaque, fc.webUrl()), (origin) => {
        const { domain, uri } = requesterOf(origin, SERVICE)
        expect(domain).toMatch(/^[^\s/?#@\p{C}]{1,255}$/u)
        expect(uri).toMatch(/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\p{C}]{1,255}$/u)
      }),
      { numRuns: 1000 },
    )
  })

  it('is short when the Origin is long', () => {
    for (const origin of [`${'a'.repeat(5000)}://app.example`, `https://app.example/${'a'.repeat(5000)}`]) {
      const { domain, uri } = requesterOf(origin, SERVICE)
      expect(domain.length + uri.length).toBeLessThan(1000)
    }
  })
})
