import { isPublicHttpsUrl, isUrl } from '../../schema/urls.ts'

/**
 * Replaces schema/webhook-url.ts in local bundles if ALLOW_LOCAL_WEBHOOKS=1. It also allows this machine, in
 * plain HTTP and on any port.
 */
export const isWebhookUrl = (text: string): boolean =>
  isPublicHttpsUrl(text) || (isUrl(text, ['http:']) && LOCAL_HOSTS.includes(new URL(text).hostname))

const LOCAL_HOSTS = ['localhost', '127.0.0.1']
