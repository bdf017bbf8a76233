import { base64 } from '@scure/base'
import type { RequestResourceCode, RequestResourceState } from '../../../schema/values.ts'
import { utf8 } from '../../keys/bytes.ts'
import { REJECTIONS } from './codes.ts'
import type { declarationOf } from './declaration.ts'

/** What is stored about a priced route. */
export type StoredRoute = { state: RequestResourceState; code: RequestResourceCode | null }

/** What became of a payment's declaration, in the form that published facilitators use. */
export type ListingAnswer =
  | { status: 'success' }
  | { status: 'processing' }
  | { status: 'rejected'; code: string; rejectedReason: string }

/**
 * Returns what became of a payment's declaration.
 * @param route what is stored about the route of its price, if anything
 * @returns undefined without a declaration
 */
export function listingAnswer(
  declaration: ReturnType<typeof declarationOf>,
  route: StoredRoute | undefined,
): ListingAnswer | undefined {
  if (declaration === undefined) return undefined
  if (declaration !== 'declared') return rejected(declaration)
  if (route?.state === 'listed') return { status: 'success' }
  return route?.state === 'rejected' && route.code ? rejected(route.code) : { status: 'processing' }
}

const rejected = (code: keyof typeof REJECTIONS): ListingAnswer => ({
  status: 'rejected',
  code,
  rejectedReason: REJECTIONS[code],
})

/** Returns the header EXTENSION-RESPONSES, as @x402/core reads it: Base64 of JSON. */
export const listingHeaders = (listing: ListingAnswer | undefined): Record<string, string> =>
  listing ? { 'extension-responses': base64.encode(utf8(JSON.stringify({ bazaar: listing }))) } : {}
