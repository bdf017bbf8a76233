import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { addressHash } from '../../quotas/address.ts'
import { tooManyConsents } from '../../quotas/errors.ts'
import { DAY_MS } from '../../time.ts'
import { type NewGrant, recordConsent } from '../grants/queries.ts'
import { requesterOf, signInInput, signInText } from '../messages.ts'
import { isNonce, issuedAt, issueNonce } from '../proof.ts'
import { CHALLENGE_LIFETIME_MS } from '../rules.ts'
import { readAnswer, refused, type SignedAnswer } from '../signed-answer.ts'
import { type Choices, consentStatement, type Holder } from './consent-text.ts'
import type { SigningDeps } from './tokens.ts'

/** What a wallet consents to, and the text that its nonce is bound to. */
export type Asked = { holder: Holder; choices: Choices; bound: string }

/** A wallet's answer to the challenge of a consent. */
type Answer = SignedAnswer & { publicKey: Wallet; nonce: string }

export type ConsentDeps = SigningDeps & { db: Db; consentsPerAddress: number }

/**
 * Requires that the service's own page sent the request.
 * @param origin the Origin header
 * @throws ApiError origin_refused
 */
export function requireOwnPage({ apiOrigin }: SigningDeps, origin: string | null): void {
  if (origin !== apiOrigin)
    throw new ApiError('origin_refused', `A wallet allows access on the pages of ${apiOrigin} alone.`)
}

/**
 * Requires that a spending limit has something to limit.
 * @throws ApiError invalid_request
 */
export function requireLimitOfHires({ permissions, spendLimit }: Choices): void {
  if (spendLimit !== undefined && !permissions.includes('agents:hire'))
    throw invalidChoice('spendLimit', 'needs the permission agents:hire')
}

/** The error for a choice of the wallet. */
export const invalidChoice = (path: string, message: string): ApiError =>
  new ApiError('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] })

/** Makes the challenge of a consent, a Sign-In-With-Solana message. Nothing is stored. */
export async function makeChallenge(deps: SigningDeps, asked: Asked, wallet: Wallet) {
  const nonce = await issueNonce(deps.signingKey, bindingOf(deps, asked, wallet), deps.now)
  const { signIn, text, expiresAt } = write(deps, asked, { nonce, wallet, issued: deps.now })
  return { nonce, text, expiresAt, signIn }
}

/**
 * Checks a signed consent, and records it by one statement, which spends the nonce.
 * @param address the client address, by which consents of unpaid wallets are counted
 * @param grantOf makes the grant that is recorded with the consent, if there is one
 * @returns the wallet's session epoch, when the connection ends, and what to notify
 * @throws ApiError login_refused, with the same text for every failed check of nonce, wallet and signature
 * @throws ApiError rate_limited by address
 */
export async function recordSigned(
  deps: ConsentDeps,
  asked: Asked,
  { nonce, ...answer }: Answer,
  address: string,
  grantOf?: (endsAt: Date) => NewGrant,
) {
  const requireSigned = readAnswer(answer)
  const { publicKey: wallet } = answer
  const { signingKey, consentsPerAddress, now } = deps
  const binding = bindingOf(deps, asked, wallet)
  const issued = isNonce(nonce) ? await issuedAt(signingKey, nonce, binding) : undefined
  if (!issued) throw refused()
  const { text, expiresAt, endsAt } = write(deps, asked, { nonce, wallet, issued })
  if (now >= expiresAt) throw refused()
  await requireSigned(text)
  const { outcome, epoch, toNotify } = await recordConsent(deps.db, {
    ...{ nonce, wallet, consentsPerAddress, now },
    // Keep a spent nonce while its challenge could be open, counted from the latest possible issue.
    expiresAt: new Date(now.getTime() + CHALLENGE_LIFETIME_MS),
    addressHash: await addressHash('consents', address),
    grant: grantOf?.(endsAt),
  })
  if (outcome === 'nonce_spent') throw refused()
  if (outcome === 'too_many_consents') throw tooManyConsents(consentsPerAddress, now)
  return { epoch, endsAt, toNotify }
}

const pageOf = ({ apiOrigin }: SigningDeps) => requesterOf(apiOrigin, apiOrigin)

const bindingOf = (deps: SigningDeps, { bound }: Asked, wallet: Wallet) => ({
  ...pageOf(deps),
  wallet,
  consent: bound,
})

function write(
  deps: SigningDeps,
  { holder, choices }: Asked,
  { nonce, wallet, issued }: { nonce: string; wallet: Wallet; issued: Date },
) {
  const expiresAt = new Date(issued.getTime() + CHALLENGE_LIFETIME_MS)
  const endsAt = new Date(issued.getTime() + choices.days * DAY_MS)
  const statement = consentStatement(holder, choices, endsAt)
  const signIn = signInInput({ ...pageOf(deps), nonce, wallet, issuedAt: issued, expiresAt, statement })
  return { signIn, text: signInText(signIn), expiresAt, endsAt }
}
