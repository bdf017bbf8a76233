import { isPublicHttpsUrl } from './urls.ts'

/**
 * Returns whether the service sends webhooks to a URL. On purpose there is no setting: the local platform
 * replaces this file by lib/local/webhook-url.ts, which also allows a developer's machine.
 */
export const isWebhookUrl = (text: string): boolean => isPublicHttpsUrl(text)
