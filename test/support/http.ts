import type { KeyWallet } from '../../lib/cli/wallet.ts'
import type { Permission } from '../../schema/values.ts'

/** A request's answer, its body parsed. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

/** Calls the API of a platform in another process: JSON both ways, with a session if a token is given. */
export function createClient(baseUrl: string, token?: string) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }
}

/**
 * Logs a wallet in, as a dApp would: challenge, signature, session token. Returns the token.
 * @param permissions all that the session is to be allowed; what the wallet may do, without it
 */
export async function logIn(baseUrl: string, wallet: KeyWallet, permissions?: Permission[]): Promise<string> {
  const call = createClient(baseUrl)
  const challenge = await call('GET', '/auth/handshake')
  const session = await call('POST', '/auth/handshake', {
    nonce: challenge.body.nonce,
    signature: wallet.sign(String(challenge.body.challenge)),
    publicKey: wallet.publicKey,
    permissions,
  })
  if (session.status !== 200) throw new Error(`login failed: ${JSON.stringify(session.body)}`)
  return String(session.body.sessionToken)
}
