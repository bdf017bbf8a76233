import { describe, expect, it } from 'vitest'
import { createChallenge, openChallenge } from '../../../lib/auth/challenge.ts'
import { generateSessionKeys } from '../../../lib/tools/keys/jwks.ts'
import type { Wallet } from '../../../schema/wallet.ts'

const NOW = new Date('2026-11-20T09:00:00.000Z')
const WALLET = '8tRYXoQUQSqo8E8vVaxRT7MWBXH6YgeSKRwAE8FECRJe' as Wallet
const requester = { domain: 'app.example', uri: 'https://app.example' }

/** The dependencies of a service with a KV of its own. */
async function start() {
  const stored = new Map<string, string>()
  const nonces = {
    put: async (key: string, value: string) => {
      stored.set(key, value)
    },
    get: async (key: string) => JSON.parse(stored.get(key) ?? 'null'),
  } as unknown as KVNamespace
  const { SESSION_SIGNING_KEY: signingKey } = await generateSessionKeys(NOW)
  return { stored, deps: { nonces, now: NOW, signingKey, apiOrigin: 'https://api.example' } }
}

/** A text of 1.0.0, which named no service. */
const before = (text: string) => text.replace(/\nResources:\n.*$|Service: .*\n/, '')

describe('a challenge', () => {
  it.each([
    ['a Sign-In-With-Solana message', WALLET, 'Resources:\n- https://api.example/v1'],
    ['a text for any wallet', undefined, 'Service: https://api.example/v1\n'],
  ])('names the service, stored or rebuilt, as %s', async (_what, publicKey, line) => {
    const { stored, deps } = await start()
    const { nonce, text } = await createChallenge(deps, { requester, publicKey })
    expect(text).toContain(line)
    const answer = { nonce, requester, publicKey: WALLET }
    const expected = { text, expiresAt: NOW.getTime() + 300_000, ...(publicKey && { wallet: publicKey }) }
    expect(await openChallenge(deps, answer)).toEqual(expected)
    stored.clear()
    expect(await openChallenge(deps, answer)).toEqual(expected)
  })

  it.each([WALLET, undefined])('of 1.0.0 is read from KV as it is, and never rebuilt', async (publicKey) => {
    const { stored, deps } = await start()
    const { nonce, text } = await createChallenge(deps, { requester, publicKey })
    const old = before(text)
    expect(old).not.toContain('https://api.example/v1')
    const key = `nonce:${nonce}`
    stored.set(key, JSON.stringify({ ...JSON.parse(stored.get(key) ?? ''), text: old }))
    const answer = { nonce, requester, publicKey: WALLET }
    expect((await openChallenge(deps, answer))?.text).toBe(old)
    stored.clear()
    expect((await openChallenge(deps, answer))?.text).toBe(text)
  })
})
