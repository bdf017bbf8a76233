import { createHash } from 'node:crypto'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import type { Body, Service } from './service.ts'

/* A program that asks a wallet for access by OAuth, without a browser. */

/** The origin of the consent page: API_ORIGIN of wrangler.toml. */
export const ISSUER = 'https://api.agentcred.example'

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const REDIRECT = 'https://app.example.com/callback'

/** The choices of a wallet. */
export type Choices = { permissions?: string[]; spendLimit?: number; days?: number }

const FORM = 'application/x-www-form-urlencoded'

/** Sends a form. */
export const postForm = (
  service: Service,
  path: string,
  members: Record<string, string> | string,
  headers: Record<string, string> = {},
) =>
  service.call('POST', path, {
    headers: { 'content-type': FORM, ...headers },
    raw: typeof members === 'string' ? members : new URLSearchParams(members).toString(),
  })

/** The parameters of an authorization request; undefined ones are left out. */
export const queryOf = (clientId: string, changes: Record<string, string | undefined> = {}): string => {
  const parameters = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'state 1',
    scope: 'read agents:hire agents:charge vault:transact',
    resource: `${ISSUER}/v1/mcp/wallet`,
    ...changes,
  }
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return new URLSearchParams(given).toString()
}

/** Makes a program that asks the service for access. */
export function oauthClient(service: Service) {
  const register = async (metadata: object = {}) =>
    service.call('POST', '/oauth/register', {
      body: { redirect_uris: [REDIRECT], client_name: 'Example Assistant', ...metadata },
    })
  const open = (clientId: string, changes: Record<string, string | undefined> = {}) =>
    service.call('GET', `/oauth/request?${queryOf(clientId, changes)}`)
  const challenge = (
    request: unknown,
    wallet: KeyWallet,
    choices: Choices = {},
    origin: string | undefined = ISSUER,
  ) =>
    service.call('POST', '/oauth/challenge', {
      body: { request, publicKey: wallet.publicKey, ...CHOICES, ...choices },
      headers: origin === undefined ? {} : { origin },
    })
  const consent = (
    request: unknown,
    challenged: Body,
    wallet: KeyWallet,
    choices: Choices = {},
    changes: Body = {},
    headers: Record<string, string> = { origin: ISSUER },
  ) =>
    service.call('POST', '/oauth/consent', {
      body: {
        request,
        ...CHOICES,
        ...choices,
        publicKey: wallet.publicKey,
        nonce: challenged.nonce,
        signature: wallet.sign(String(challenged.challenge)),
        ...changes,
      },
      headers,
    })
  const redeem = (code: string, clientId: string, changes: Record<string, string> = {}) =>
    postForm(service, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: VERIFIER,
      redirect_uri: REDIRECT,
      ...changes,
    })
  const refresh = (token: string, clientId: string, changes: Record<string, string> = {}) =>
    postForm(service, '/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...changes,
    })
  const registered = async () => String((await register()).body.client_id)
  /** Has a wallet allow a client, and returns the code. */
  const allow = async (clientId: string, wallet: KeyWallet = createWallet(), choices: Choices = {}) => {
    const { request } = (await open(clientId)).body
    const challenged = (await challenge(request, wallet, choices)).body
    const { redirectTo } = (await consent(request, challenged, wallet, choices)).body
    return new URL(String(redirectTo)).searchParams.get('code') ?? ''
  }
  /** Connects a new client to a wallet, and returns its tokens. */
  const connect = async (wallet: KeyWallet = createWallet(), choices: Choices = {}) => {
    const clientId = await registered()
    const { body } = await redeem(await allow(clientId, wallet, choices), clientId)
    return { clientId, wallet, access: String(body.access_token), refresh: String(body.refresh_token) }
  }
  return { register, registered, open, challenge, consent, redeem, refresh, allow, connect }
}

const CHOICES = { permissions: ['agents:hire'], days: 30 }
