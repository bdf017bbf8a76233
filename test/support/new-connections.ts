import { base58, base64urlnopad } from '@scure/base'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { ISSUER, postForm } from './oauth.ts'
import type { Body, Service } from './service.ts'

/* Connections that a wallet creates: tokens, and agents with their own key. */

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const encoded = (text: string) => base64urlnopad.encode(new TextEncoder().encode(text))

/** Makes a JWT with any header and claims, signed by an agent's key. */
export function signJwt(key: KeyWallet, claims: object, header: object = {}): string {
  const signed = [{ alg: 'EdDSA', typ: 'JWT', ...header }, claims].map((part) =>
    encoded(JSON.stringify(part)),
  )
  return [...signed, base64urlnopad.encode(base58.decode(key.sign(signed.join('.'))))].join('.')
}

/** Makes what a wallet and an agent do at a service. */
export function newConnections(service: Service) {
  const challenge = (wallet: KeyWallet, choices: Body = {}, origin: string | undefined = ISSUER) =>
    service.call('POST', '/oauth/grants/challenge', {
      body: { ...CHOICES, ...choices, publicKey: wallet.publicKey },
      headers: origin === undefined ? {} : { origin },
    })
  const create = (
    challenged: Body,
    wallet: KeyWallet,
    choices: Body = {},
    changes: Body = {},
    headers: Record<string, string> = { origin: ISSUER },
  ) =>
    service.call('POST', '/oauth/grants', {
      body: {
        ...CHOICES,
        ...choices,
        publicKey: wallet.publicKey,
        nonce: challenged.nonce,
        signature: wallet.sign(String(challenged.challenge)),
        ...changes,
      },
      headers,
    })
  /** Has a wallet create a connection, by default a token. */
  const allow = async (wallet: KeyWallet = createWallet(), choices: Body = {}) =>
    (await create((await challenge(wallet, choices)).body, wallet, choices)).body
  /** Has a wallet allow a new key. */
  const allowKey = async (wallet: KeyWallet = createWallet(), choices: Body = {}) => {
    const key = createWallet()
    const { id, clientId } = await allow(wallet, { kind: 'key', key: key.publicKey, ...choices })
    return { id: String(id), clientId: String(clientId), key, wallet }
  }
  /** Makes an assertion that is valid but for the changes. A claim that is undefined is left out. */
  const assert = (clientId: string, key: KeyWallet, claims: Body = {}, header: object = {}) => {
    const now = Math.floor(service.clock.now() / 1000)
    const valid = { iss: clientId, sub: clientId, aud: ISSUER, iat: now, exp: now + 300 }
    return signJwt(key, { ...valid, jti: crypto.randomUUID(), ...claims }, header)
  }
  const ask = (
    assertion: string,
    changes: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) =>
    postForm(
      service,
      '/oauth/token',
      {
        grant_type: 'client_credentials',
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: assertion,
        ...changes,
      },
      headers,
    )
  return { challenge, create, allow, allowKey, assert, ask }
}

const CHOICES = { kind: 'token', name: 'My research agent', permissions: ['agents:hire'], days: 30 }
