import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Consent, ConsentChoices } from '../../../schema/wire/oauth.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { addressHash } from '../../quotas/address.ts'
import { tooManyConsents } from '../../quotas/errors.ts'
import { DAY_MS } from '../../time.ts'
import { recordConsent } from '../grants/queries.ts'
import { type Requester, requesterOf, signInInput, signInText } from '../messages.ts'
import { isNonce, issuedAt, issueNonce } from '../proof.ts'
import { CHALLENGE_LIFETIME_MS } from '../rules.ts'
import { readAnswer, refused } from '../signed-answer.ts'
import { type Choices, consentStatement } from './consent-text.ts'
import type { Destination } from './redirects.ts'
import { type AskedFor, answerUrl, readRequest } from './request.ts'
import { CODE_SECONDS } from './rules.ts'
import { type SigningDeps, secondsOf, signToken } from './tokens.ts'

/** What a code holds, so that redeeming it needs nothing else. */
export type CodeClaims = Omit<AskedFor, 'state'> & {
  sub: Wallet
  gen: number
  jti: string
  host?: string
  /** Lamports, as text. */
  limit?: string
  /** When the connection ends, in Unix milliseconds. */
  until: number
}

type Opened = {
  requester: Requester
  asked: AskedFor & { destination: Destination }
  choices: Choices
  bound: string
}

/**
 * Makes the challenge of a consent: a Sign-In-With-Solana message that names where the answer goes, what is
 * allowed and until when. Nothing is stored; the nonce is bound to all of it.
 * @param origin the Origin header
 * @throws ApiError origin_refused, request_expired, invalid_request
 */
export async function createConsentChallenge(
  deps: SigningDeps,
  { publicKey: wallet, ...input }: InferOutput<typeof ConsentChoices>,
  origin: string | null,
) {
  const opened = await open(deps, input, origin)
  const nonce = await issueNonce(
    deps.signingKey,
    { ...opened.requester, wallet, consent: opened.bound },
    deps.now,
  )
  const { signIn, text, expiresAt } = write(opened, { nonce, wallet, issued: deps.now })
  return { nonce, text, expiresAt, signIn }
}

/**
 * Exchanges a signed consent for a code, by one statement, which spends the nonce.
 * @param origin the Origin header
 * @param address the client address, by which consents of unpaid wallets are counted
 * @returns the redirect URI with the code
 * @throws ApiError login_refused, with the same text for every failed check of nonce, wallet and signature
 * @throws ApiError origin_refused, request_expired, invalid_request; rate_limited by address
 */
export async function giveConsent(
  deps: SigningDeps & { db: Db; consentsPerAddress: number },
  input: InferOutput<typeof Consent>,
  origin: string | null,
  address: string,
): Promise<{ redirectTo: string }> {
  const opened = await open(deps, input, origin)
  const requireSigned = readAnswer(input)
  const wallet = input.publicKey as Wallet
  const { nonce } = input
  const binding = { ...opened.requester, wallet, consent: opened.bound }
  const issued = isNonce(nonce) ? await issuedAt(deps.signingKey, nonce, binding) : undefined
  if (!issued) throw refused()
  const { text, expiresAt, endsAt } = write(opened, { nonce, wallet, issued })
  if (deps.now >= expiresAt) throw refused()
  await requireSigned(text)
  const { consentsPerAddress, now } = deps
  // Keep a spent nonce while its challenge could be open, counted from the latest possible issue.
  const keptUntil = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  const counted = { addressHash: await addressHash('consents', address), consentsPerAddress }
  const { outcome, epoch } = await recordConsent(deps.db, {
    nonce,
    expiresAt: keptUntil,
    wallet,
    ...counted,
    now,
  })
  if (outcome === 'nonce_spent') throw refused()
  if (outcome === 'too_many_consents') throw tooManyConsents(consentsPerAddress, now)
  const code = await issueCode(deps, opened, { wallet, epoch, endsAt })
  const { redirectUri, state } = opened.asked
  return { redirectTo: answerUrl(deps, redirectUri, { code, state }) }
}

/** Reads the request and the choices, and what the nonce is bound to. */
async function open(
  deps: SigningDeps,
  { request, permissions, spendLimit, days }: Omit<InferOutput<typeof ConsentChoices>, 'publicKey'>,
  origin: string | null,
): Promise<Opened> {
  if (origin !== deps.apiOrigin)
    throw new ApiError('origin_refused', `A consent is given at ${deps.apiOrigin}/console/connect alone.`)
  const asked = await readRequest(deps, request)
  const beyond = permissions.find((each) => !asked.permissions.includes(each))
  if (beyond !== undefined) throw invalid('permissions', `has ${beyond}, which the program did not ask for`)
  if (spendLimit !== undefined && !permissions.includes('agents:hire'))
    throw invalid('spendLimit', 'needs the permission agents:hire')
  const choices = {
    permissions: asked.permissions.filter((each) => permissions.includes(each)),
    spendLimit,
    days,
  }
  const bound = JSON.stringify([request, choices.permissions, spendLimit?.toString() ?? null, days])
  return { requester: requesterOf(origin, deps.apiOrigin), asked, choices, bound }
}

function write(
  { requester, asked, choices }: Opened,
  { nonce, wallet, issued }: { nonce: string; wallet: Wallet; issued: Date },
) {
  const expiresAt = new Date(issued.getTime() + CHALLENGE_LIFETIME_MS)
  const endsAt = new Date(issued.getTime() + choices.days * DAY_MS)
  const statement = consentStatement(asked.destination, choices, endsAt)
  const signIn = signInInput({ ...requester, nonce, wallet, issuedAt: issued, expiresAt, statement })
  return { signIn, text: signInText(signIn), expiresAt, endsAt }
}

function issueCode(
  deps: SigningDeps,
  { asked, choices }: Opened,
  consent: { wallet: Wallet; epoch: number; endsAt: Date },
): Promise<string> {
  const { client, name, redirectUri, challenge, destination } = asked
  const { permissions, spendLimit } = choices
  const claims: CodeClaims = {
    jti: uuidv7({ msecs: deps.now.getTime() }),
    sub: consent.wallet,
    gen: consent.epoch,
    until: consent.endsAt.getTime(),
    ...{ client, name, redirectUri, challenge, permissions },
    ...hostOf(destination),
    ...(spendLimit === undefined ? {} : { limit: spendLimit.toString() }),
  }
  const issuedAt = secondsOf(deps.now)
  return signToken(deps, 'code', claims, { issuedAt, expiresAt: issuedAt + CODE_SECONDS })
}

/** Returns the host of a site, or the scheme of an app with its colon, which no host ends with. */
const hostOf = (destination: Destination): { host?: string } => {
  if (destination.kind === 'computer') return {}
  return { host: destination.kind === 'app' ? `${destination.host}:` : destination.host }
}

const invalid = (path: string, message: string) =>
  new ApiError('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] })
