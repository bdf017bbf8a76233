import { generatePaymentKeys } from '../keys/payments.ts'
import { generateSessionKeys } from '../keys/session.ts'
import { generateWebhookKeys } from '../keys/webhooks.ts'

const KINDS = ['session', 'webhooks', 'payments']

/**
 * `npm run keys [-- session|webhooks|payments]`: prints fresh keys for session tokens, webhook signatures and
 * the authority of payments, or one of these, as lines of a .env file. With the deployment's present ones set
 * (SESSION_JWKS, WEBHOOK_SIGNING_KEYS, PAYMENTS_AUTHORITY_KEYS, _ADDRESSES) the new key stands beside them,
 * which makes a rotation.
 */
async function main(which: string | undefined) {
  if (which !== undefined && !KINDS.includes(which)) {
    throw new Error(`"${which}" is none of ${KINDS.join(', ')}`)
  }
  const isAsked = (kind: string) => which === undefined || which === kind
  const { SESSION_JWKS, WEBHOOK_SIGNING_KEYS, PAYMENTS_AUTHORITY_KEYS, PAYMENTS_AUTHORITY_ADDRESSES } =
    process.env
  const keys = {
    ...(isAsked('session') ? await generateSessionKeys(new Date(), SESSION_JWKS || undefined) : {}),
    ...(isAsked('webhooks') ? generateWebhookKeys(WEBHOOK_SIGNING_KEYS || undefined) : {}),
    ...(isAsked('payments')
      ? generatePaymentKeys(PAYMENTS_AUTHORITY_KEYS, PAYMENTS_AUTHORITY_ADDRESSES)
      : {}),
  }
  for (const [name, value] of Object.entries(keys)) console.log(`${name}='${value}'`)
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
