import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { grantablePermissions } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Consent, ConsentChoices } from '../../../schema/wire/oauth/consent.ts'
import type { Destination } from './redirects.ts'
import { type AskedFor, answerUrl, readRequest } from './request.ts'
import { CODE_SECONDS } from './rules.ts'
import {
  type Asked,
  type ConsentDeps,
  invalidChoice,
  makeChallenge,
  recordSigned,
  requireLimitOfHires,
  requireOwnPage,
} from './signed-consent.ts'
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

type Opened = Asked & { program: AskedFor & { destination: Destination } }

/**
 * Makes the challenge of a consent: a Sign-In-With-Solana message that names where the answer goes, what is
 * allowed and until when. Nothing is stored; the nonce is bound to all of it.
 * @param origin the Origin header
 * @throws ApiError origin_refused, request_expired, invalid_request
 */
export async function createConsentChallenge(
  deps: SigningDeps,
  { publicKey, ...input }: InferOutput<typeof ConsentChoices>,
  origin: string | null,
) {
  requireOwnPage(deps, origin)
  return makeChallenge(deps, await open(deps, input), publicKey)
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
  deps: ConsentDeps,
  input: InferOutput<typeof Consent>,
  origin: string | null,
  address: string,
): Promise<{ redirectTo: string }> {
  requireOwnPage(deps, origin)
  const opened = await open(deps, input)
  const wallet = input.publicKey as Wallet
  const recorded = await recordSigned(deps, opened, { ...input, publicKey: wallet }, address)
  const code = await issueCode(deps, opened, { ...recorded, wallet })
  const { redirectUri, state } = opened.program
  return { redirectTo: answerUrl(deps, redirectUri, { code, state }) }
}

/** Reads the request and the choices, and what the nonce is bound to. */
async function open(
  deps: SigningDeps,
  { request, permissions, spendLimit, days }: Omit<InferOutput<typeof ConsentChoices>, 'publicKey'>,
): Promise<Opened> {
  const program = await readRequest(deps, request)
  const beyond = permissions.find((each) => !program.permissions.includes(each))
  if (beyond !== undefined)
    throw invalidChoice('permissions', `has ${beyond}, which the program did not ask for`)
  const choices = {
    permissions: grantablePermissions.filter((each) => permissions.includes(each)),
    spendLimit,
    days,
  }
  requireLimitOfHires(choices)
  const bound = JSON.stringify([request, choices.permissions, spendLimit?.toString() ?? null, days])
  return { program, holder: program.destination, choices, bound }
}

function issueCode(
  deps: SigningDeps,
  { program, choices }: Opened,
  consent: { wallet: Wallet; epoch: number; endsAt: Date },
): Promise<string> {
  const { client, name, redirectUri, challenge, destination } = program
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
