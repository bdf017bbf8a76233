import type { Wallet } from '../../schema/wallet.ts'

/** Who asks for a login: the page's host (with its port) and address, or the service's own when no page asks. */
export type Requester = { domain: string; uri: string }

type Terms = Requester & { nonce: string; issuedAt: Date; expiresAt: Date }

/** A longer Origin is no page's: it only makes a challenge of many kilobytes. */
const MAX_ORIGIN_LENGTH = 255

const STATEMENT =
  'Sign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.'

/**
 * The challenge that any wallet may answer. It must not begin like a Sign-In-With-Solana message: wallets then
 * insist on that format and on the page's domain.
 */
export const challengeText = (terms: Terms): string =>
  [
    'AgentCred login',
    '',
    STATEMENT,
    '',
    `Domain: ${terms.domain}`,
    `Nonce: ${terms.nonce}`,
    `Issued At: ${terms.issuedAt.toISOString()}`,
    `Expires At: ${terms.expiresAt.toISOString()}`,
  ].join('\n')

/** The input for a wallet's `solana:signIn`; {@link signInText} is the text that the wallet makes of it. */
export const signInInput = (terms: Terms & { wallet: Wallet }) => ({
  domain: terms.domain,
  address: terms.wallet,
  statement: STATEMENT,
  uri: terms.uri,
  version: '1' as const,
  nonce: terms.nonce,
  issuedAt: terms.issuedAt.toISOString(),
  expirationTime: terms.expiresAt.toISOString(),
})

/** A Sign-In-With-Solana message (Phantom's specification, after EIP-4361) for one wallet. */
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
 * The page that asks, from its Origin header; without a usable one the service itself. Any page may log its
 * users in, so this is what the wallet shows the user, not a gate.
 */
export function requesterOf(origin: string | undefined, requestUrl: string): Requester {
  const page = origin === undefined ? undefined : URL.parse(origin)
  const isUsable = page && page.host !== '' && page.protocol.length + page.host.length <= MAX_ORIGIN_LENGTH
  const source = isUsable ? page : new URL(requestUrl)
  return {
    domain: source.host,
    uri: source.origin === 'null' ? `${source.protocol}//${source.host}` : source.origin,
  }
}
