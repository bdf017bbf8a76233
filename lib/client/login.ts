import { base58, utf8 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import type { AuthChallenge, AuthSession, AuthSubmit } from './generated/types.ts'
import type { Send } from './send.ts'
import { ask, type Wallet } from './wallet.ts'

/** A session, and for how long it was valid when it was given out, in milliseconds. */
export type Login = { session: AuthSession; lifetimeMs: number }

/** What a login may ask for. */
type Asked = {
  agentId?: AuthSubmit['agentId'] | undefined
  permissions?: AuthSubmit['permissions'] | undefined
}

/**
 * Logs a wallet in: by Sign-In-With-Solana if the wallet offers it, else by the signature of a text.
 * @param asked an agent of the wallet to name in the session, and all that it is to be allowed
 * @throws AgentCredError login_refused, wallet_refused, wallet_incapable, and what any call throws
 */
export async function logIn(send: Send, wallet: Wallet, asked: Asked = {}): Promise<Login> {
  const query = wallet.signIn ? { publicKey: wallet.publicKey } : {}
  const challenge = await send('GET /auth/handshake', { query })
  const signature = await ask('sign the login', () => answer(wallet, challenge))
  const session = await send('POST /auth/handshake', {
    body: { nonce: challenge.nonce, signature: base58(signature), publicKey: wallet.publicKey, ...asked },
  })
  // By the service's clock alone: this machine's may be wrong.
  const issuedAt = challenge.expiresAt - challenge.expiresIn
  return { session, lifetimeMs: session.expiresAt - issuedAt }
}

function answer(wallet: Wallet, { challenge, signInInput }: AuthChallenge): Promise<Uint8Array> | Uint8Array {
  if (wallet.signIn && signInInput) return wallet.signIn(signInInput)
  if (wallet.signMessage) return wallet.signMessage(utf8(challenge))
  throw new AgentCredError('wallet_incapable', 'The wallet can sign no message, so it can not log in')
}
