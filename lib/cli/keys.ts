import { generateSessionKeys } from '../keys/session.ts'
import { generateSecretsKey, generateWebhookKeys } from '../keys/webhooks.ts'

/**
 * `npm run keys [-- session|webhooks|secrets]`: prints fresh keys for session tokens, webhook signatures,
 * endpoints' secrets, or all of them as lines of a .env file. With SESSION_JWKS, WEBHOOK_SIGNING_KEYS or
 * WEBHOOK_SECRETS_KEY set (the deployment's present ones), their newest key stays valid beside the new one,
 * which makes a rotation; of the last every key stays.
 */
async function main(which: string | undefined) {
  const { SESSION_JWKS, WEBHOOK_SIGNING_KEYS, WEBHOOK_SECRETS_KEY } = process.env
  const kinds: Record<string, () => Promise<object> | object> = {
    session: () => generateSessionKeys(new Date(), SESSION_JWKS || undefined),
    webhooks: () => generateWebhookKeys(WEBHOOK_SIGNING_KEYS || undefined),
    secrets: () => generateSecretsKey(WEBHOOK_SECRETS_KEY || undefined),
  }
  const names = which === undefined ? Object.keys(kinds) : [which]
  const makers = names.map((name) => kinds[name])
  const keys = {}
  for (const make of makers) {
    if (!make) throw new Error(`"${which}" is none of ${Object.keys(kinds).join(', ')}`)
    Object.assign(keys, await make())
  }
  for (const [name, value] of Object.entries(keys)) console.log(`${name}='${value}'`)
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
