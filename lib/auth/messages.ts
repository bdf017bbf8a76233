import type { Wallet } from '../../schema/wallet.ts'

/**
 * Who asks for a login: the page's host (with its port) and address, or the service's own if no page asks.
 */
export type Requester = { domain: string; uri: string }

type ChallengeFields = Requester & { nonce: string; issuedAt: Date; expiresAt: Date }

/** The longest Origin that is used. No page has a longer one, which would make a challenge of kilobytes. */
const MAX_ORIGIN_LENGTH = 255

const STATEMENT =
  'Sign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.'

/**
 * Writes the challenge that any wallet may answer. It must not begin like a Sign-In-With-Solana message:
 * wallets then insist on that format and on the page's domain.
 */
export const challengeText = (fields: ChallengeFields): string =>
  [
    'AgentCred login',
    '',
    STATEMENT,
    '',
    `Domain: ${fields.domain}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt.toISOString()}`,
    `Expires At: ${fields.expiresAt.toISOString()}`,
  ].join('\n')

/** Makes the input for a wallet's `solana:signIn`, of which the wallet makes {@link signInText}. */
export const signInInput = (fields: ChallengeFields & { wallet: Wallet }) => ({
  domain: fields.domain,
  address: fields.wallet,
  statement: STATEMENT,
  uri: fields.uri,
  version: '1' as const,
  nonce: fields.nonce,
  issuedAt: fields.issuedAt.toISOString(),
  expirationTime: fields.expiresAt.toISOString(),
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
  ].join('\n')

/**
 * Finds the page that asks, from its Origin header; without a usable one, the service itself. It is what the
 * wallet shows the user, not a gate (login-domains.ts).
 */
export function requesterOf(origin: string | undefined, requestUrl: string): Requester {
  const source = pageOf(origin) ?? new URL(requestUrl)
  return {
    domain: source.host,
    uri: source.origin === 'null' ? `${source.protocol}//${source.host}` : source.origin,
  }
}

/** The page of an Origin header, if it names one. */
export function pageOf(origin: string | undefined): URL | undefined {
  const page = origin === undefined ? undefined : URL.parse(origin)
  if (!page || page.host === '') return undefined
  return page.protocol.length + page.host.length <= MAX_ORIGIN_LENGTH ? page : undefined
}
