import { generateCardKeys, generateSessionKeys } from '../tools/keys/jwks.ts'
import { generatePaymentKeys } from '../tools/keys/solana.ts'
import { generateSecretsKey, generateWebhookKeys } from '../tools/keys/webhooks.ts'

/** What makes the keys of each kind, beside the deployment's present ones where they are set. */
const GENERATORS: Record<string, () => object | Promise<object>> = {
  session: () => generateSessionKeys(new Date(), process.env.SESSION_JWKS || undefined),
  webhooks: () => generateWebhookKeys(process.env.WEBHOOK_SIGNING_KEYS || undefined),
  secrets: () => generateSecretsKey(process.env.WEBHOOK_SECRETS_KEY || undefined),
  cards: () => generateCardKeys(new Date(), process.env.CARD_JWKS || undefined),
  payments: () =>
    generatePaymentKeys(process.env.PAYMENTS_AUTHORITY_KEYS, process.env.PAYMENTS_AUTHORITY_ADDRESSES),
}

const FIRST_SECRETS_KEY =
  'This is a first key, since WEBHOOK_SECRETS_KEY is not set. A deployment that has endpoints needs its present keys, too: set it to them.'

/**
 * `npm run keys [-- session|webhooks|secrets|cards|payments]`: prints fresh keys for session tokens,
 * webhook signatures, webhook endpoints' secrets, agent cards and the authority of payments, or one of
 * these, as lines of a .env file. With the deployment's present ones set (SESSION_JWKS,
 * WEBHOOK_SIGNING_KEYS, WEBHOOK_SECRETS_KEY, CARD_JWKS, PAYMENTS_AUTHORITY_KEYS and _ADDRESSES) the new
 * key stands beside them, which makes a rotation.
 */
async function main(which: string | undefined) {
  const kinds = Object.keys(GENERATORS)
  if (which !== undefined && !kinds.includes(which))
    throw new Error(`"${which}" is none of ${kinds.join(', ')}`)
  for (const [kind, generate] of Object.entries(GENERATORS)) {
    if (which !== undefined && which !== kind) continue
    for (const [name, value] of Object.entries(await generate())) console.log(`${name}='${value}'`)
  }
  if (which === 'secrets' && !process.env.WEBHOOK_SECRETS_KEY) console.error(FIRST_SECRETS_KEY)
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
