import { stripVTControlCharacters } from 'node:util'
import { APIConnectionError, APIError } from 'cloudflare'
import { WranglerError } from '../deploy/wrangler.ts'

/** Stops the setup with one sentence that says what to do. */
export class Fault extends Error {}

/** What can be run again, and why that does no harm. */
const AGAIN = {
  setup: 'Run npm run setup again; nothing is made twice.',
  upgrade: 'Run npm run upgrade again.',
}
type Script = keyof typeof AGAIN

/** What went wrong at a service, as far as its client says. */
type Failure = { service: string; status?: number | undefined; code?: string | undefined; words: string }

/**
 * Turns what a client or wrangler throws into a sentence.
 * @param doing what was done, as in "making the queue x"
 * @param permission the token's permission that it takes
 */
export function faultOf(error: unknown, doing: string, permission = '', script: Script = 'setup'): Error {
  if (error instanceof Fault) return error
  const failure = failureOf(error)
  return failure
    ? new Fault(sentenceOf(failure, doing, permission, AGAIN[script]))
    : new Error(`${doing} failed`, { cause: error })
}

function sentenceOf(
  { service, status, code = '', words }: Failure,
  doing: string,
  permission: string,
  again: string,
): string {
  const said = words === '' ? '' : `, which says “${words}”`
  if (status === undefined)
    return `${service} does not answer while ${doing}: look at its status page and at your network. ${again}`
  if (status === 401)
    return `${service} does not know the token (${doing}): set ${TOKENS[service]} to one that is active.`
  if (code === '100328' || code === '100129')
    return `The Cloudflare account is on the free plan: choose Workers Paid ($5 a month) under Workers & Pages, Plans. ${again}`
  if (status === 403 || code === '10000')
    return permission === ''
      ? `${service} does not allow ${doing}${said}: give the token of ${TOKENS[service]} the permission that it takes. ${again}`
      : `The token of ${TOKENS[service]} lacks the permission ${permission} (${doing}): add it to the token. ${again}`
  if (status === 429) return `${service} asks to wait (${doing}): wait five minutes. ${again}`
  if (status >= 500) return `${service} failed with ${status} while ${doing}: wait a few minutes. ${again}`
  if (status === 402 || /limit|quota|exceed|maximum/i.test(words))
    return `The account at ${service} has as much as its plan allows (${doing}${said}): delete what is not used, or choose a larger plan. ${again}`
  return `${service} refuses (${doing}${said}): mend that. ${again}`
}

const TOKENS: Record<string, string> = { Cloudflare: 'CLOUDFLARE_API_TOKEN', Neon: 'NEON_API_KEY' }

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof APIConnectionError) return { service: 'Cloudflare', words: '' }
  if (error instanceof APIError) {
    const [first] = error.errors as { code?: number; message?: string }[]
    const { code, message = '' } = first ?? {}
    return { service: 'Cloudflare', status: error.status, code: String(code), words: message }
  }
  if (error instanceof WranglerError) return failureOfWrangler(error)
  return failureOfNeon(error)
}

function failureOfWrangler({ output }: WranglerError): Failure {
  const words = stripVTControlCharacters(output)
  const [, line = '', code = ''] = /^\s*(.*)\[code: (\d+)\]/m.exec(words) ?? []
  if (/has not ended within|fetch failed|ECONN|ETIMEDOUT/.test(words))
    return { service: 'Cloudflare', words: '' }
  const isOverload = code === '10429' || /Too Many Requests/.test(words)
  // Without a code it was no answer of the API's own.
  const isBroken = code === '10013' || (code === '' && /\b50\d\b|malformed response/.test(words))
  const status = isOverload ? 429 : isBroken ? 500 : 400
  const [, message = ''] = /\[?ERROR\]?\s*(.*)/.exec(words) ?? []
  return { service: 'Cloudflare', status, code, words: (line || message).trim() }
}

/** Neon's client is axios. Its error's own message and config hold the request, so neither is repeated. */
function failureOfNeon(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null || !('isAxiosError' in error)) return undefined
  const { response } = error as { response?: { status: number; data?: { code?: string; message?: string } } }
  const { code = '', message = '' } = response?.data ?? {}
  return { service: 'Neon', status: response?.status, code, words: message }
}
