import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AuthChallenge } from '../../../lib/client/index.ts'
import { originsOf, verifyChallenge } from '../../../lib/client/login-text.ts'
import { wallets } from '../../support/arbitraries.ts'
import { challengeAt } from '../../support/fake-service.ts'

const SERVICE = 'https://api.example.com'
const WALLET = 'wallet'
const NOW = 1_795_165_200_000
const OWN = originsOf(`${SERVICE}/v1`)

const challengeOf = (page?: string, service?: string) =>
  challengeAt(NOW, WALLET, page, service) as unknown as AuthChallenge
const verify = (challenge: unknown, origins = OWN) =>
  verifyChallenge(challenge as AuthChallenge, WALLET, origins)

/** Has the client run in a page. */
const visit = (origin: string) => vi.stubGlobal('location', { origin })
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a login text', () => {
  it('is rebuilt as the service writes it, for any page, wallet and time', () => {
    const hosts = fc.webAuthority().map((authority) => new URL(`https://${authority}`).origin)
    const times = fc.nat({ max: 4_000_000_000_000 })
    fc.assert(
      fc.property(hosts, hosts, wallets, times, (page, service, wallet, now) => {
        visit(page)
        const challenge = challengeAt(now, wallet, page, service) as unknown as AuthChallenge
        const { nonce, challenge: text, signInInput } = challenge
        expect(verifyChallenge(challenge, wallet, originsOf(`${service}/v1`))).toEqual({
          nonce,
          challenge: text,
          signInInput,
        })
      }),
    )
  })

  it('is refused when any of its lines differs, is missing, added or moved', () => {
    const good = challengeOf()
    const lines = good.challenge.split('\n')
    const changed = lines.flatMap((line, index) => [
      lines.with(index, `${line} `),
      lines.toSpliced(index, 1),
      lines.toSpliced(index, 0, 'Not Before: 2026-11-20T09:00:00.000Z'),
      [...lines.slice(1, index + 1), lines[0], ...lines.slice(index + 1)],
    ])
    const texts = [...changed, [...lines, ''], [...lines, `- ${SERVICE}/v1`]].map((all) => all.join('\n'))
    for (const challenge of texts.filter((text) => text !== good.challenge))
      expect(() => verify({ ...good, challenge }), challenge).toThrow(
        expect.objectContaining({ code: 'challenge_unexpected' }),
      )
    expect(texts.length).toBe(50)
  })

  it('is refused when any field of its input differs, is missing or unknown', () => {
    const good = challengeOf()
    const input: Record<string, unknown> = { ...good.signInInput }
    const changed = Object.keys(input).flatMap((name) => {
      const { [name]: value, ...others } = input
      return [
        { ...input, [name]: `${value} ` },
        { ...input, [name]: null },
        { ...input, [name]: [value] },
        { ...input, [name]: { toString: value } },
        others,
        { ...others, [name.toUpperCase()]: value },
      ]
    })
    const unknown = ['chainId', 'notBefore', 'requestId', 'amount', '__proto__'].map((name) =>
      JSON.parse(JSON.stringify(input).replace('{', `{"${name}":"1",`)),
    )
    for (const signInInput of [...changed, ...unknown, { ...input, amount: 10n ** 20n }, [], 'text', true])
      expect(() => verify({ ...good, signInInput }), inspect(signInInput)).toThrow(
        expect.objectContaining({ code: 'challenge_unexpected' }),
      )
  })

  it.each([
    ['a nonce that adds lines', { nonce: 'n\nRequest ID: 1' }],
    ['a nonce with a line break at its end', { nonce: 'n\n' }],
    ['an empty nonce', { nonce: '' }],
    ['no nonce', { nonce: undefined }],
    ['another time', { expiresAt: NOW }],
    ['another duration', { expiresIn: 1 }],
    ['no time', { expiresAt: undefined }],
    ['a time that no Date has', { expiresAt: 1e300 }],
    ['no text', { challenge: undefined }],
  ])('is refused with %s', (_what, changes) => {
    expect(() => verify({ ...challengeOf(), ...changes })).toThrow(
      expect.objectContaining({ code: 'challenge_unexpected' }),
    )
  })

  it('is refused with a nonce that adds lines, even if the text has them', () => {
    const text = JSON.stringify(challengeOf())
    const nonce = 'n\\nRequest ID: 1'
    const challenge = text.replace('"nonce":"n"', `"nonce":"${nonce}"`).replace('Nonce: n', `Nonce: ${nonce}`)
    expect(() => verify(JSON.parse(challenge))).toThrow(
      expect.objectContaining({ code: 'challenge_unexpected' }),
    )
  })

  it('is refused for another wallet', () => {
    expect(() => verifyChallenge(challengeOf(), 'another', OWN)).toThrow(`has "${WALLET}"`)
  })

  it('has its input in any order, and needs none', () => {
    const { signInInput, ...others } = challengeOf()
    const reversed = Object.fromEntries(Object.entries(signInInput ?? {}).reverse())
    expect(verify({ ...others, signInInput: reversed }).signInInput).toEqual(signInInput)
    expect(verify(others)).not.toHaveProperty('signInInput')
  })

  it('says what a service before this version does not have', () => {
    const { challenge, ...others } = challengeOf()
    const before = challenge.replace(/\nResources:.*/s, '')
    expect(() => verify({ ...others, challenge: before })).toThrow(
      `not a login of ${SERVICE}: it has "no service". Nothing was signed.`,
    )
  })
})

describe('the origins of a login', () => {
  it.each<[string, { page?: string; baseUrl: string; origin?: string }, string[]]>([
    ['the base URL’s without a page', { baseUrl: `${SERVICE}/v1` }, [SERVICE]],
    ['the base URL’s in lower case', { baseUrl: 'https://API.Example.com/v1' }, [SERVICE]],
    ['the base URL’s with its port', { baseUrl: 'http://localhost:8787/v1' }, ['http://localhost:8787']],
    [
      'the page’s, too',
      { baseUrl: `${SERVICE}/v1`, page: 'https://a.example' },
      ['https://a.example', SERVICE],
    ],
    ['the page’s for a relative base URL', { baseUrl: '/v1', page: SERVICE }, [SERVICE]],
    [
      'the proxy’s, too',
      { baseUrl: 'https://proxy.example/api/v1', origin: `${SERVICE}/` },
      [SERVICE, 'https://proxy.example'],
    ],
    [
      'the page’s, the proxy’s and the service’s',
      { baseUrl: 'https://proxy.example/v1', origin: SERVICE, page: `https://proxy.example:8443` },
      ['https://proxy.example:8443', 'https://proxy.example', SERVICE],
    ],
    [
      'those of two ports of a host',
      { baseUrl: `${SERVICE}:8443/v1`, page: SERVICE },
      [SERVICE, `${SERVICE}:8443`],
    ],
  ])('are %s', (_what, { page, baseUrl, origin }, shown) => {
    if (page !== undefined) visit(page)
    const origins = originsOf(baseUrl, origin)
    expect([...new Set(origins.shown)]).toEqual(shown)
    for (const each of shown) expect(verify(challengeOf(each, origins.service), origins).nonce).toBe('n')
  })

  it.each([
    '//evil.example/v1',
    'https:///evil.example/v1',
    'https:evil.example/v1',
    'https://api.example.com@evil.example/v1',
    'https://api.example.com.evil.example/v1',
    'https://evil.example?https://api.example.com/v1',
    'http://api.example.com/v1',
  ])('are no other host’s for %s', (baseUrl) => {
    visit(SERVICE)
    expect(() => verify(challengeOf(), originsOf(baseUrl))).toThrow(`it has "- ${SERVICE}/v1"`)
  })

  it('do not make a page or a proxy the service', () => {
    visit('https://page.example')
    const origins = originsOf('https://proxy.example/v1', SERVICE)
    for (const other of ['https://page.example', 'https://proxy.example', 'https://evil.example'])
      expect(() => verify(challengeOf(SERVICE, other), origins)).toThrow(
        `not a login of ${SERVICE}: it has "- ${other}/v1"`,
      )
    expect(() => verify(challengeOf('https://evil.example'), origins)).toThrow('evil.example')
  })
})
