import { stripVTControlCharacters } from 'node:util'
import { APIConnectionError, APIError } from 'cloudflare'
import { WranglerError } from '../deploy/wrangler.ts'

/** Stops a command with one sentence that says what to do. */
export class CommandError extends Error {}

/** An error that may pass. {@link withRetryHint} adds to its message how to run the command again. */
export class RetryableError extends CommandError {}

/**
 * Does the work of a command, and adds a hint to a {@link RetryableError}.
 * @param again the hint, a sentence: how to run it again, and why that does no harm
 */
export const withRetryHint = <T>(again: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof RetryableError ? new CommandError(`${error.message} ${again}`) : error
  })

/** A failure of a service, as its client reports it. */
type Failure = { service: string; status?: number | undefined; code?: string | undefined; message: string }

/**
 * Turns an error of a client or of wrangler into a sentence.
 * @param doing the step that failed, as in "making the queue x"
 * @param permission the token's permission that the step needs
 */
export function commandErrorOf(error: unknown, doing: string, permission = ''): Error {
  if (error instanceof CommandError) return error
  const failure = failureOf(error)
  if (failure === undefined) return new Error(`${doing} failed`, { cause: error })
  return new RetryableError(sentenceOf(failure, doing, permission))
}

/** Does the same for a deployment of Workers. Its checks before the first upload already say what to do. */
export const deploymentErrorOf = (error: unknown): unknown =>
  error instanceof WranglerError ? commandErrorOf(error, 'deploying the Workers') : error

function sentenceOf(
  { service, status, code = '', message }: Failure,
  doing: string,
  permission: string,
): string {
  const said = message === '' ? '' : `, which says “${message}”`
  if (status === undefined)
    return `${service} does not answer while ${doing}: check its status page and your network.`
  if (status === 401)
    return `${service} rejected the token (${doing}): set ${TOKENS[service]} to an active one.`
  if (service === 'Cloudflare' && code in LACKS) return LACKS[code] ?? ''
  if (status === 423) return `${service} is still changing the project (${doing}): wait a few minutes.`
  const isFull = status === 402 || /limit|quota|exceed|maximum/i.test(message)
  if (isOfPermission(status, code) && permission !== '')
    return `The token of ${TOKENS[service]} lacks the permission ${permission} (${doing}): add it to the token.`
  if ((status === 403 && !isFull) || code === '10000')
    return `${service} does not allow ${doing}${said}: ${isOfPermission(status, code) ? '' : 'fix this, or '}give the token of ${TOKENS[service]} the permission ${permission || 'that it needs'}.`
  if (status === 429) return `${service} limits the rate of requests (${doing}): wait five minutes.`
  if (status >= 500) return `${service} failed with ${status} while ${doing}: wait a few minutes.`
  if (isFull)
    return `The ${service} account has reached a limit of its plan (${doing}${said}): delete what you do not use, or choose a larger plan.`
  return `${service} rejected the request (${doing}${said}): fix this.`
}

/** Messages for features that an account lacks and no token permission gives, by Cloudflare's code. */
const LACKS: Record<string, string> = {
  10023:
    'The Cloudflare account lacks a feature that a Worker uses: check its plan and your role at https://dash.cloudflare.com, and ask Cloudflare’s support if both allow Workers.',
  10034:
    'Cloudflare has not verified your e-mail address: follow the link in its e-mail, or request another at https://dash.cloudflare.com/profile.',
  11002:
    'Queues are not enabled in the Cloudflare account: enable them at https://dash.cloudflare.com/?to=/:account/workers/queues.',
  100129:
    'Cloudflare treats the account as on the free plan: choose Workers Paid ($5 a month) under Workers & Pages, Plans. If it has that plan, ask Cloudflare’s support why it has no queues.',
  100328:
    'The Cloudflare account is on the free plan: choose Workers Paid ($5 a month) under Workers & Pages, Plans.',
}

/** Cloudflare answers 403 for other reasons, too, each with its own code. Neon's codes are empty. */
const isOfPermission = (status: number | undefined, code: string): boolean =>
  code === '10000' || (status === 403 && ['', '9109'].includes(code))

/** Returns whether Cloudflare refuses because the token lacks a permission. */
export const isOfToken = (error: unknown): boolean =>
  error instanceof APIError && isOfPermission(error.status, codeOf(error))

const TOKENS: Record<string, string> = { Cloudflare: 'CLOUDFLARE_API_TOKEN', Neon: 'NEON_API_KEY' }

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof APIConnectionError) return { service: 'Cloudflare', message: '' }
  if (error instanceof APIError) {
    const message = error.errors[0]?.message ?? ''
    return { service: 'Cloudflare', status: error.status, code: codeOf(error), message }
  }
  if (error instanceof WranglerError) return failureOfWrangler(error)
  return failureOfNeon(error)
}

const codeOf = ({ errors }: APIError): string => String(errors[0]?.code ?? '')

function failureOfWrangler({ output }: WranglerError): Failure {
  const text = stripVTControlCharacters(output)
  const [, line = '', code = ''] = /^\s*(.*)\[code: (\d+)\]/m.exec(text) ?? []
  if (/has not ended within|fetch failed|ECONN|ETIMEDOUT/.test(text))
    return { service: 'Cloudflare', message: '' }
  const isOverload = code === '10429' || /Too Many Requests/.test(text)
  // Without a code the answer is not from the API itself.
  const isBroken = code === '10013' || (code === '' && /\b50\d\b|malformed response/.test(text))
  const status = isOverload ? 429 : isBroken ? 500 : 400
  const [, message = ''] = /\[?ERROR\]?\s*(.*)/.exec(text) ?? []
  return { service: 'Cloudflare', status, code, message: (line || message).trim() }
}

/** Neon's client is axios. The message and config of its error hold the request, so neither is repeated. */
function failureOfNeon(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null || !('isAxiosError' in error)) return undefined
  const { response } = error as { response?: { status: number; data?: { code?: string; message?: string } } }
  const { code = '', message = '' } = response?.data ?? {}
  return { service: 'Neon', status: response?.status, code, message: message }
}
