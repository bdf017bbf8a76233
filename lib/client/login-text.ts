import { AgentCredError } from './error.ts'
import type { AuthChallenge, SignInInput } from './generated/types.ts'

/** A text for a wallet to sign, once. */
export type Challenge = Pick<AuthChallenge, 'challenge' | 'nonce' | 'signInInput'>

/** The origin of the service, and the origins that its logins may show to the user. */
export type Origins = { service: string; shown: readonly string[] }

/**
 * Returns the origins of a login. It shows the page or, without one, the service by the address of the
 * request.
 * @param origin the service's own origin, if `baseUrl` is a proxy
 */
export function originsOf(baseUrl: string, origin = baseUrl): Origins {
  const page = (globalThis as { location?: { origin: string } }).location?.origin
  // React Native's URL has no origin.
  const originOf = (url: string) =>
    (/^\/\w/.test(url) ? page : /^\w+:\/\/[^/]+/.exec(url)?.[0].toLowerCase()) ?? url
  const service = originOf(origin)
  return { service, shown: [page ?? service, originOf(baseUrl), service] }
}

/**
 * Rebuilds a login from its nonce and times, and compares it with the host's. A hostile host passes on the
 * challenge of another service, and logs in there with the signature.
 * @returns the rebuilt challenge
 * @throws AgentCredError `challenge_unexpected` with the first difference
 */
export function verifyChallenge(
  { challenge, nonce, expiresAt, expiresIn, signInInput }: AuthChallenge,
  address: string,
  { service, shown }: Origins,
): Challenge {
  const uri = shown.find((origin) => `${challenge}`.includes(`\nURI: ${origin}\n`)) ?? service
  const input: SignInInput = {
    domain: uri.replace(/.*\//, ''),
    address,
    statement:
      'Sign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.',
    uri,
    version: '1',
    // Another nonce could add lines to the text.
    nonce: `${/^\w+$/.exec(nonce)}`,
    issuedAt: timeText(expiresAt - expiresIn),
    expirationTime: timeText(expiresAt),
    resources: [`${service}/v1`],
  }
  const text = textOf(input)
  if (challenge === text && !signInInput) return { challenge, nonce }
  if (challenge === text && isEqual(signInInput, input)) return { challenge, nonce, signInInput: input }
  const lines = text.split('\n')
  const line = `${challenge}`.split('\n').find((theirs, index) => theirs !== lines[index])
  const difference = line ?? (challenge === text ? 'another signInInput' : 'no service')
  throw new AgentCredError(
    'challenge_unexpected',
    `The text to sign is not a login of ${service}: it has "${difference}". Nothing was signed. Check baseUrl; if it is your own proxy, set origin.`,
  )
}

/** Compares inputs, whose members may come in any order. */
function isEqual(theirs: object = {}, ours: object): boolean {
  const names = Object.keys(ours)
  return (
    Object.keys(theirs).length === names.length &&
    JSON.stringify(theirs, names) === JSON.stringify(ours, names)
  )
}

/** Writes a time as the service does. An invalid time becomes "null"; toISOString would throw. */
const timeText = (ms: number): string => `${new Date(ms).toJSON()}`

/** Writes a Sign-In-With-Solana message as the service and wallets do. */
const textOf = (input: SignInInput): string =>
  `${input.domain} wants you to sign in with your Solana account:
${input.address}

${input.statement}

URI: ${input.uri}
Version: ${input.version}
Nonce: ${input.nonce}
Issued At: ${input.issuedAt}
Expiration Time: ${input.expirationTime}
Resources:
- ${input.resources}`
