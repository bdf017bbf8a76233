import type { Wallet } from '../../schema/wallet.ts'

/**
 * The page that asks for a login: its host (with port) and origin, or the service's own.
 */
export type Requester = { domain: string; uri: string }

type ChallengeFields = Requester & { nonce: string; issuedAt: Date; expiresAt: Date }

/**
 * Returns the URL by which a login text names this service, so that no other host can redeem the signature
 * here. The client compares it with its own base URL.
 * @param apiOrigin API_ORIGIN
 */
export const serviceOf = (apiOrigin: string): string => `${apiOrigin}/v1`

/** Longer Origins are ignored: no page has one, and it would make a challenge of kilobytes. */
const MAX_ORIGIN_LENGTH = 255

const STATEMENT =
  'Sign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.'

/**
 * Writes the challenge that any wallet may answer. It must not begin like a Sign-In-With-Solana message, or
 * wallets require that format and the page's domain.
 */
export const challengeText = (fields: ChallengeFields & { service: string }): string =>
  [
    'AgentCred login',
    '',
    STATEMENT,
    '',
    `Service: ${fields.service}`,
    `Domain: ${fields.domain}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt.toISOString()}`,
    `Expires At: ${fields.expiresAt.toISOString()}`,
  ].join('\n')

/**
 * Makes the input for a wallet's `solana:signIn`, from which the wallet makes {@link signInText}. The client
 * rebuilds the input of a login and compares both (lib/client/login-text.ts).
 * @param fields.service of a login; a consent has a `statement` instead
 */
export const signInInput = ({
  service,
  statement = STATEMENT,
  ...fields
}: ChallengeFields & { wallet: Wallet; service?: string; statement?: string }) => ({
  domain: fields.domain,
  address: fields.wallet,
  statement,
  uri: fields.uri,
  version: '1' as const,
  nonce: fields.nonce,
  issuedAt: fields.issuedAt.toISOString(),
  expirationTime: fields.expiresAt.toISOString(),
  resources: service === undefined ? undefined : [service],
})

/** Writes a Sign-In-With-Solana message (Phantom's specification, after EIP-4361) for one wallet. */
export const signInText = (input: ReturnType<typeof signInInput>): string =>
  [
    `${input.domain} wants you to sign in with your Solana account:`,
    input.address,
    '',
    input.statement,
    '',
    `URI: ${input.uri}`,
    `Version: ${input.version}`,
    `Nonce: ${input.nonce}`,
    `Issued At: ${input.issuedAt}`,
    `Expiration Time: ${input.expirationTime}`,
    ...(input.resources ? ['Resources:', ...input.resources.map((resource) => `- ${resource}`)] : []),
  ].join('\n')

/**
 * Returns the page of the Origin header, or the service itself without a usable one. The wallet shows it to
 * the user; login-domains.ts enforces it.
 */
export function requesterOf(origin: string | undefined, requestUrl: string): Requester {
  const source = pageOf(origin) ?? new URL(requestUrl)
  return {
    domain: source.host,
    uri: source.origin === 'null' ? `${source.protocol}//${source.host}` : source.origin,
  }
}

/** Parses an Origin header; undefined if it does not name a page. */
export function pageOf(origin: string | undefined): URL | undefined {
  const page = origin === undefined ? undefined : URL.parse(origin)
  if (!page || page.host === '') return undefined
  return page.protocol.length + page.host.length <= MAX_ORIGIN_LENGTH ? page : undefined
}
