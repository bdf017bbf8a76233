import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { grantablePermissions } from '../../../schema/values.ts'
import { publicKeyBytes, type Wallet } from '../../../schema/wallet.ts'
import type { ConnectionConsent, NewConnectionChoices } from '../../../schema/wire/oauth/new-connection.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { isStrictPoint } from '../../keys/signature.ts'
import { issueAccess } from './access.ts'
import { TOKEN_DAYS } from './rules.ts'
import {
  type Asked,
  type ConsentDeps,
  invalidChoice,
  makeChallenge,
  recordSigned,
  requireLimitOfHires,
  requireOwnPage,
} from './signed-consent.ts'
import { type KeyClaims, type SigningDeps, secondsOf, signToken } from './tokens.ts'

/** A new connection: a token that is shown once, or the client id of a key. */
export type CreatedConnection =
  | { id: string; token: string; expiresAt: Date }
  | { id: string; clientId: string; expiresAt: Date }

type Input = Omit<InferOutput<typeof NewConnectionChoices>, 'publicKey'>

/**
 * Makes the challenge of a new token or key: a Sign-In-With-Solana message that names the key, what is
 * allowed and until when. Nothing is stored; the nonce is bound to all of it.
 * @param origin the Origin header
 * @throws ApiError origin_refused, invalid_request
 */
export async function createConnectionChallenge(
  deps: SigningDeps,
  { publicKey, ...input }: InferOutput<typeof NewConnectionChoices>,
  origin: string | null,
) {
  requireOwnPage(deps, origin)
  return makeChallenge(deps, asked(input, publicKey), publicKey)
}

/**
 * Records a signed consent with its grant, by one statement, which spends the nonce.
 * @param origin the Origin header
 * @param address the client address, by which consents of unpaid wallets are counted
 * @returns the token or the client id, which are stored nowhere
 * @throws ApiError login_refused, with the same text for every failed check of nonce, wallet and signature
 * @throws ApiError origin_refused, invalid_request; rate_limited by address
 */
export async function createConnection(
  deps: ConsentDeps & { notify: Notify },
  input: InferOutput<typeof ConnectionConsent>,
  origin: string | null,
  address: string,
): Promise<CreatedConnection> {
  requireOwnPage(deps, origin)
  const wallet = input.publicKey as Wallet
  const wanted = asked(input, wallet)
  const { kind, name, key } = input
  const { permissions, spendLimit } = wanted.choices
  const id = uuidv7({ msecs: deps.now.getTime() })
  const client = key === undefined ? kind : `${kind}:${key}`
  const answer = { ...input, publicKey: wallet }
  const { epoch, endsAt, toNotify } = await recordSigned(deps, wanted, answer, address, (endsAt) => ({
    ...{ grantId: id, kind, client, name, publicKey: key, permissions, spendLimit, endsAt },
  }))
  deps.notify(toNotify)
  if (key === undefined) {
    const grant = { id, wallet, epoch, client, permissions, expiresAt: endsAt }
    return { id, token: (await issueAccess(deps, grant, endsAt)).accessToken, expiresAt: endsAt }
  }
  const claims: KeyClaims = { sub: wallet, grant: id, key }
  const times = { issuedAt: secondsOf(deps.now), expiresAt: secondsOf(endsAt) }
  return { id, clientId: await signToken(deps, 'key', claims, times), expiresAt: endsAt }
}

/** Checks the choices, and returns what the wallet signs. */
function asked({ kind, name, permissions, spendLimit, days, key }: Input, wallet: Wallet): Asked {
  requireKeyOfKind(kind, key, wallet)
  if (kind === 'token' && days > TOKEN_DAYS)
    throw invalidChoice('days', `must be at most ${TOKEN_DAYS} for a token`)
  const choices = {
    permissions: grantablePermissions.filter((each) => permissions.includes(each)),
    spendLimit,
    days,
  }
  requireLimitOfHires(choices)
  const bound = [kind, name, choices.permissions, spendLimit?.toString() ?? null, days, key ?? null]
  return {
    holder: key === undefined ? { kind: 'token' } : { kind: 'key', key },
    choices,
    bound: JSON.stringify(bound),
  }
}

function requireKeyOfKind(kind: Input['kind'], key: Wallet | undefined, wallet: Wallet): void {
  if (kind === 'token') {
    if (key !== undefined) throw invalidChoice('key', 'must not be there for a token')
    return
  }
  if (key === undefined) throw invalidChoice('key', 'must be the public key of the agent')
  if (key === wallet) throw invalidChoice('key', 'must not be the wallet’s own key')
  const bytes = publicKeyBytes(key)
  // Nobody signs for a point off the curve, and anybody for a point of small order.
  if (!bytes || !isStrictPoint(bytes))
    throw invalidChoice('key', 'must be an Ed25519 public key that has a private key')
}
