import { isPublicHttpsUrl } from './urls.ts'

/**
 * Whether the service sends webhooks to a URL at all. This file has no setting on purpose: what a developer's
 * machine allows beyond it, the local platform bundles in its place (lib/local/webhook-url.ts).
 */
export const isWebhookUrl = (text: string): boolean => isPublicHttpsUrl(text)
