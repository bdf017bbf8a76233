import * as v from 'valibot'
import { constrain } from '../docs.ts'
import { webhookUrlPattern } from '../patterns.ts'
import { MAX_URL_LENGTH } from '../urls.ts'
import { isWebhookUrl } from '../webhook-url.ts'
import { Text } from './text.ts'

const isWebhook = v.check(
  isWebhookUrl,
  'must be a public https URL on port 443, without credentials or an IP address',
)
// No regular expression in code: isWebhookUrl alone decides, also on a developer's machine.
constrain(isWebhook, { pattern: webhookUrlPattern(), maxLength: MAX_URL_LENGTH })

/** A URL that webhooks may be sent to. */
export const WebhookUrl = v.pipe(Text, isWebhook)
