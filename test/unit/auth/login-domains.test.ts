import { describe, expect, it } from 'vitest'
import { allowedRequester, loginDomainsOf, requireSignIn } from '../../../lib/auth/login-domains.ts'

const SERVICE = 'https://api.agentcred.example/v1/auth/handshake'
const LIST = loginDomainsOf(' App.example , other.example:8443,')

describe('LOGIN_DOMAINS', () => {
  it('is a list of hosts in any case, and may be empty', () => {
    expect(LIST).toEqual(['app.example', 'other.example:8443'])
    expect(loginDomainsOf('')).toEqual([])
  })

  it.each([undefined, 'https://app.example', 'https://other.example:8443', 'https://api.agentcred.example'])(
    'takes the Origin %j',
    (origin) => {
      const page = new URL(origin ?? SERVICE)
      expect(allowedRequester(LIST, origin, SERVICE)).toEqual({ domain: page.host, uri: page.origin })
    },
  )

  it.each([
    '',
    'null',
    'https://evil.example',
    'https://app.example.evil.example',
    'https://app.example:8443',
    'http://app.example',
    'ftp://app.example',
    'chrome-extension://app.example',
    'https://other.example',
    'app.example',
    `https://${'a'.repeat(256)}.example`,
  ])('rejects the Origin %j', (origin) => {
    expect(() => allowedRequester(LIST, origin, SERVICE)).toThrow(
      expect.objectContaining({ code: 'login_domain_refused' }),
    )
    expect(() => allowedRequester([], origin, SERVICE)).not.toThrow()
  })

  it('takes pages of this machine by http', () => {
    const local = loginDomainsOf('localhost:5173')
    const origin = 'http://localhost:5173'
    expect(allowedRequester(local, origin, SERVICE)).toEqual({ domain: 'localhost:5173', uri: origin })
    expect(() => allowedRequester(local, 'http://localhost:5174', SERVICE)).toThrow('accepts no logins')
  })

  it('accepts only messages that name a wallet', () => {
    expect(() => requireSignIn(LIST, {})).toThrow(expect.objectContaining({ code: 'login_domain_refused' }))
    expect(() => requireSignIn(LIST, { wallet: 'a' })).not.toThrow()
    expect(() => requireSignIn([], {})).not.toThrow()
  })
})
