import { once } from 'node:events'
import * as v from 'valibot'
import type { WebhookTrust } from '../client/index.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { createWebhookEndpoint } from './webhook-endpoint.ts'

const KEYS_TIMEOUT_MS = 10_000

const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/
const PublicKey = v.pipe(v.string(), v.regex(/^whpk_[A-Za-z0-9+/]{43}=$/))

/**
 * `npm run receiver`: receives webhooks on this machine until SIGINT or SIGTERM. It prints lines of JSON to
 * stdout: `{"listening":<its URL>}`, then for each verified event `{"received":<event>}` the first time and
 * `{"repeated":<its id>}` after that. Rejected requests go to stderr.
 */
async function main() {
  const { values } = readCommandLine('receiver')
  const port = portOf(values.port)
  const server = createWebhookEndpoint({
    trust: await trustOf(values.keys, process.env.WEBHOOK_SECRETS),
    wallet: values.wallet,
    ...(values['any-time'] ? { toleranceSeconds: Number.POSITIVE_INFINITY } : {}),
    // The original text: JSON.parse would round an amount above 2^53.
    received: (event) => console.log(`{"received":${event}}`),
    repeated: (id) => console.log(JSON.stringify({ repeated: id })),
    refused: (reason) => console.error(`refused: ${reason}`),
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address === 'object' && address) {
    console.log(JSON.stringify({ listening: `http://127.0.0.1:${address.port}/` }))
  }
  await new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  server.close()
  server.closeAllConnections()
}

/** Returns how to verify: by secrets of webhook endpoints or, without one, by the service's public keys. */
async function trustOf(url: string | undefined, text = ''): Promise<WebhookTrust> {
  const secrets = text === '' ? [] : text.split(',')
  if (url === undefined && secrets.length === 0) throw new UsageError('--keys or WEBHOOK_SECRETS is required')
  if (!secrets.every((secret) => SECRET.test(secret)))
    throw new UsageError('WEBHOOK_SECRETS must be secrets of endpoints, starting with whsec_')
  return { secrets, keys: url === undefined ? [] : await fetchKeys(url) }
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError('--port must be from 0 to 65535')
}

async function fetchKeys(url: string): Promise<string[]> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError('--keys must be an http or https URL')
  let body: unknown
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(KEYS_TIMEOUT_MS) })
    body = await response.json()
  } catch (cause) {
    throw new Error(`${url} gave no keys`, { cause })
  }
  const answer = v.safeParse(v.object({ keys: v.pipe(v.array(PublicKey), v.minLength(1)) }), body)
  if (answer.success) return answer.output.keys
  throw new Error(`${url} gave no keys`)
}

await runMain('receiver', main)
