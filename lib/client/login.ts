import { base58, toBase64, utf8 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import type { AuthSession, AuthSubmit } from './generated/types.ts'
import { type Challenge, type Origins, verifyChallenge } from './login-text.ts'
import type { Send } from './send.ts'
import type { LoginMethod } from './steps.ts'
import { ask, type SignedMessage, type Wallet } from './wallet.ts'

/** A session, and its lifetime at the login, in milliseconds. */
type Login = { session: AuthSession; lifetimeMs: number }

/**
 * Logs in by one method, or by the best that works.
 * @param isWanted whether somebody still waits for the login
 */
export type LogIn = (method: LoginMethod | undefined, isWanted: () => boolean) => Promise<Login>

/** The method that has worked last, for all clients of a wallet. */
const usual = new WeakMap<Wallet, LoginMethod>()

/** The options of a login. */
type Asked = {
  agentId?: AuthSubmit['agentId'] | undefined
  permissions?: AuthSubmit['permissions'] | undefined
}

/** What proves that a wallet signed a challenge. */
export type Proof = Pick<AuthSubmit, 'nonce' | 'publicKey' | 'signature'> & {
  signedMessage: string | undefined
}

/**
 * Makes the login of a wallet by a Sign-In-With-Solana message.
 * @param asked an agent of the wallet to name in the session, and the session's permissions
 * @param origins of the only login to sign
 * @returns a function that throws the errors of {@link verifyChallenge}, {@link signChallenge} and any call
 */
export function createLogin(send: Send, wallet: Wallet, asked: Asked, origins: Origins): LogIn {
  const { publicKey } = wallet
  return async (method, isWanted) => {
    const answer = await send('GET /auth/handshake', { query: { publicKey } })
    const challenge = verifyChallenge(answer, publicKey, origins)
    const submit = (proof: Proof) => send('POST /auth/handshake', { body: { ...proof, ...asked } })
    const session = await signChallenge(wallet, challenge, submit, method, isWanted)
    // Only by the service's clock: this machine's may be wrong.
    return { session, lifetimeMs: session.expiresAt - answer.expiresAt + answer.expiresIn }
  }
}

/**
 * Has a wallet sign a challenge, and submits the proof. It uses the wallet's own sign-in if it has one, else
 * the signature of an off-chain message, else of the plain text. If one fails, it tries the next. The one
 * that works is the first the next time. After a refusal it opens no further window.
 * @param method the only method to use; by default the best that works
 * @param isWanted whether somebody still waits
 * @throws AgentCredError `login_refused` and `wallet_refused`, with the other methods as `loginMethods`,
 *   `wallet_incapable`, and the errors of `submit`
 */
export async function signChallenge<Answer>(
  wallet: Wallet,
  { signInInput, challenge, nonce }: Challenge,
  submit: (proof: Proof) => Promise<Answer>,
  method: LoginMethod | undefined,
  isWanted: () => boolean,
): Promise<Answer> {
  const { publicKey } = wallet
  const ways = {
    signIn: signInInput && wallet.signIn?.bind(wallet, signInInput),
    signOffchainMessage: wallet.signOffchainMessage?.bind(wallet, challenge),
    signMessage: wallet.signMessage?.bind(wallet, utf8(challenge)),
  }
  const offered = (Object.keys(ways) as LoginMethod[]).filter((name) => ways[name])
  const order = method ? [method] : [...new Set([usual.get(wallet), ...offered])]
  for (const [index, name] of order.entries()) {
    const sign = name && ways[name]
    if (!sign) continue
    try {
      const signed = await ask('sign the message', sign)
      // A wallet that answers with the signature alone has signed the text as it is.
      const { signature = signed as Uint8Array, signedMessage } = signed as Partial<SignedMessage>
      const answer = await submit({
        ...{ nonce, publicKey, signature: base58(signature) },
        signedMessage: signedMessage && toBase64(signedMessage),
      })
      usual.set(wallet, name)
      return answer
    } catch (error) {
      if (!(error instanceof AgentCredError) || !REFUSALS.includes(error.code)) throw error
      if (hasFailed(error) && index + 1 < order.length && isWanted()) continue
      throw Object.assign(error, { loginMethods: offered.filter((other) => other !== name) })
    }
  }
  throw new AgentCredError('wallet_incapable', 'The wallet cannot sign a message in this way')
}

/** Errors after which another method may work. */
const REFUSALS: readonly string[] = ['wallet_refused', 'login_refused']

/**
 * Whether the wallet has failed, rather than its user declined. Wallets declare features that they lack with
 * a hardware wallet.
 */
const hasFailed = ({ code, cause }: AgentCredError): boolean =>
  code === 'wallet_refused' &&
  cause instanceof Error &&
  // EIP-1193's code. Some wallets only have words.
  (cause as { code?: unknown }).code !== 4001 &&
  !/reject|declin|cancel|den(y|ied)/i.test(cause.message)
