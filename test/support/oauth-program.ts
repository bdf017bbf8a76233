import { createHash } from 'node:crypto'
import type { KeyWallet } from '../../lib/cli/wallet.ts'
import { answerTo, type Body, type Service } from './service.ts'

/** The verifier of every request: a test needs no secret. */
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export type Program = Awaited<ReturnType<typeof registerProgram>>

/** Registers a program that asks for access by OAuth, with one redirect URI. */
export async function registerProgram(service: Service, redirectUri: string, name = 'Example Assistant') {
  const body = { redirect_uris: [redirectUri], client_name: name }
  const { body: registered } = await service.call('POST', '/oauth/register', { body })
  const clientId = String(registered.client_id)
  const token = (form: Record<string, string>) =>
    service.call('POST', '/oauth/token', {
      raw: `${new URLSearchParams({ client_id: clientId, ...form })}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const redeem = (code: string) =>
    token({ grant_type: 'authorization_code', code, code_verifier: VERIFIER, redirect_uri: redirectUri })
  const viewOf = (changes: Record<string, string | undefined> = {}): string => {
    const parameters = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 'a state',
      scope: 'read agents:hire',
      ...changes,
    }
    const given = Object.entries(parameters).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    return `connect?${new URLSearchParams(given)}`
  }
  return {
    /** Returns the view with an authorization request. A parameter that is undefined is left out. */
    viewOf,
    /** Exchanges a code for tokens. */
    redeem,
    /** Connects the program to a wallet without a browser. */
    async connect(wallet: KeyWallet, choices: Body): Promise<void> {
      const headers = { origin: service.origin }
      const { body: opened } = await service.call('GET', `/oauth/request?${viewOf().split('?')[1]}`)
      const chosen = { ...choices, request: opened.request }
      const asked = { ...chosen, publicKey: wallet.publicKey }
      const challenge = await service.call('POST', '/oauth/challenge', { body: asked, headers })
      const signed = { ...chosen, ...answerTo(challenge.body, wallet) }
      const { body: consented } = await service.call('POST', '/oauth/consent', { body: signed, headers })
      const { status } = await redeem(`${new URL(String(consented.redirectTo)).searchParams.get('code')}`)
      if (status !== 200) throw new Error(`the code was answered ${status}`)
    },
  }
}
