import { generateSessionKeys } from '../keys/session.ts'
import { generateWebhookKeys } from '../keys/webhooks.ts'

/**
 * `npm run keys [-- session|webhooks]`: prints fresh keys for session tokens, webhook signatures or both as
 * lines of a .env file. With SESSION_JWKS or WEBHOOK_SIGNING_KEYS set (the deployment's present ones), their
 * newest key stays valid beside the new one, which makes a rotation.
 */
async function main(which: string | undefined) {
  if (which !== undefined && which !== 'session' && which !== 'webhooks') {
    throw new Error(`"${which}" is neither session nor webhooks`)
  }
  const keys = {
    ...(which === 'webhooks'
      ? {}
      : await generateSessionKeys(new Date(), process.env.SESSION_JWKS || undefined)),
    ...(which === 'session' ? {} : generateWebhookKeys(process.env.WEBHOOK_SIGNING_KEYS || undefined)),
  }
  for (const [name, value] of Object.entries(keys)) console.log(`${name}='${value}'`)
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
