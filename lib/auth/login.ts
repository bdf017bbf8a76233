import { base64 } from '@scure/base'
import { type InferOutput, safeParse } from 'valibot'
import { publicKeyBytes, signatureBytes, type Wallet } from '../../schema/wallet.ts'
import type { AuthSubmit } from '../../schema/wire/auth.ts'
import { Uuid } from '../../schema/wire/common.ts'
import { ApiError } from '../api-error.ts'
import type { Db } from '../db/connect.ts'
import { equalBytes, utf8 } from '../keys/bytes.ts'
import { verifiesAny } from '../keys/signature.ts'
import { signableForms, signedText } from '../solana/off-chain.ts'
import { openChallenge } from './challenge.ts'
import { type LoginDomains, requireSignIn } from './login-domains.ts'
import type { Requester } from './messages.ts'
import { recordLogin } from './queries.ts'
import { permissionsOf } from './rules.ts'
import type { RoleSettings } from './session/rules.ts'
import { issueSession } from './session/token.ts'

type LoginDeps = { nonces: KVNamespace; now: Date; signingKey: string; loginDomains: LoginDomains }

/**
 * Exchanges a signed challenge for a session token. Needs one KV read, then one SQL statement, which spends
 * the nonce.
 * @param requester the page, to rebuild a challenge that KV does not have
 * @throws ApiError login_refused, with the same text for every failed check
 * @throws ApiError login_domain_refused for a plain text if LOGIN_DOMAINS lists pages
 * @throws ApiError dependency_unavailable if KV does not answer and the challenge can not be rebuilt
 */
export async function login(
  deps: LoginDeps & { db: Db; roles: RoleSettings },
  submit: InferOutput<typeof AuthSubmit>,
  requester: Requester,
) {
  const wallet = await provenWallet(deps, submit, requester)
  // Any text may be sent here; a text that is not a UUID names no agent.
  const asked = safeParse(Uuid, submit.agentId)
  const agentId = asked.success ? asked.output : undefined
  const recorded = await recordLogin(deps.db, {
    nonce: submit.nonce,
    wallet,
    agentId,
    now: deps.now,
  })
  if (!recorded) throw refused()
  const { epoch, ownsAgent } = recorded
  const permissions = permissionsOf(wallet, deps.roles, submit.permissions)
  const session = {
    wallet,
    epoch,
    permissions,
    ...(ownsAgent && agentId !== undefined ? { agentId } : {}),
  }
  const { token, expiresAt } = await issueSession(deps.signingKey, session, deps.now)
  return { wallet, permissions, token, expiresAt }
}

/**
 * Checks that the key signed the challenge of this nonce in time, cheap checks first.
 * @returns the key's wallet
 */
async function provenWallet(
  deps: LoginDeps,
  submit: { nonce: string; signature: string; publicKey: string; signedMessage?: string | undefined },
  requester: Requester,
): Promise<Wallet> {
  const key = publicKeyBytes(submit.publicKey)
  const signature = signatureBytes(submit.signature)
  if (!key || !signature) throw refused()
  const signed = submit.signedMessage === undefined ? undefined : readSigned(submit.signedMessage, key)
  const publicKey = submit.publicKey as Wallet
  const challenge = await openChallenge(deps, { nonce: submit.nonce, requester, publicKey })
  if (!challenge || deps.now.getTime() >= challenge.expiresAt) throw refused()
  requireSignIn(deps.loginDomains, challenge)
  if (challenge.wallet !== undefined && challenge.wallet !== submit.publicKey) throw refused()
  if (signed && !equalBytes(signed.text, utf8(challenge.text))) throw refused()
  const forms = signed ? [signed.message] : signableForms(challenge.text, key)
  if (!(await verifiesAny(key, signature, forms))) throw refused()
  return publicKey
}

/**
 * Reads the bytes that the wallet signed, and their text.
 * @param signedMessage Base64
 * @throws ApiError login_refused if they are not a message of this signer
 */
function readSigned(signedMessage: string, signer: Uint8Array) {
  const message = decodeBase64(signedMessage)
  const text = message && signedText(message, signer)
  if (!text) throw refused()
  return { message, text }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64.decode(text))
  } catch {
    return undefined
  }
}

const refused = () =>
  new ApiError(
    'login_refused',
    'The signature does not answer an open challenge. Request a new challenge, sign its exact text, and send it once, within five minutes.',
  )
