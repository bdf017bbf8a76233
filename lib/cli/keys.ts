import { generateCardKeys } from '../keys/cards.ts'
import { generateSessionKeys } from '../keys/session.ts'
import { generateSecretsKey, generateWebhookKeys } from '../keys/webhooks.ts'

/** What makes the keys of each kind, beside the deployment's present ones where they are set. */
const GENERATORS: Record<string, () => object | Promise<object>> = {
  session: () => generateSessionKeys(new Date(), process.env.SESSION_JWKS || undefined),
  webhooks: () => generateWebhookKeys(process.env.WEBHOOK_SIGNING_KEYS || undefined),
  secrets: () => generateSecretsKey(process.env.WEBHOOK_SECRETS_KEY || undefined),
  cards: () => generateCardKeys(new Date(), process.env.CARD_JWKS || undefined),
}

/**
 * `npm run keys [-- session|webhooks|secrets|cards]`: prints fresh keys for session tokens, webhook signatures,
 * endpoints' secrets, agent cards, or all of them as lines of a .env file. With SESSION_JWKS,
 * WEBHOOK_SIGNING_KEYS, WEBHOOK_SECRETS_KEY or CARD_JWKS set (the deployment's present ones), their newest key
 * stays valid beside the new one, which makes a rotation; of endpoints' secrets every key stays.
 */
async function main(which: string | undefined) {
  const kinds = Object.keys(GENERATORS)
  if (which !== undefined && !kinds.includes(which))
    throw new Error(`"${which}" is none of ${kinds.join(', ')}`)
  for (const [kind, generate] of Object.entries(GENERATORS)) {
    if (which !== undefined && which !== kind) continue
    for (const [name, value] of Object.entries(await generate())) console.log(`${name}='${value}'`)
  }
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
