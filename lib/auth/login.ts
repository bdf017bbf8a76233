import { type InferOutput, safeParse } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { AuthSubmit } from '../../schema/wire/auth.ts'
import { Uuid } from '../../schema/wire/common.ts'
import type { Db } from '../db/connect.ts'
import { openChallenge } from './challenge.ts'
import { type LoginDomains, requireSignIn } from './login-domains.ts'
import type { Requester } from './messages.ts'
import { recordLogin } from './queries.ts'
import { permissionsOf } from './rules.ts'
import type { RoleSettings } from './session/rules.ts'
import { issueSession } from './session/token.ts'
import { readAnswer, refused, type SignedAnswer } from './signed-answer.ts'

type LoginDeps = {
  nonces: KVNamespace
  now: Date
  signingKey: string
  apiOrigin: string
  loginDomains: LoginDomains
}

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
  submit: SignedAnswer & { nonce: string },
  requester: Requester,
): Promise<Wallet> {
  const requireSigned = readAnswer(submit)
  const publicKey = submit.publicKey as Wallet
  const challenge = await openChallenge(deps, { nonce: submit.nonce, requester, publicKey })
  if (!challenge || deps.now.getTime() >= challenge.expiresAt) throw refused()
  requireSignIn(deps.loginDomains, challenge)
  if (challenge.wallet !== undefined && challenge.wallet !== submit.publicKey) throw refused()
  await requireSigned(challenge.text)
  return publicKey
}
