import * as v from 'valibot'
import { AnyText } from '../text.ts'

// OAuth 2.1 for programs that act for a wallet. The names of the standards' own members (`client_id`) are
// theirs; the rest has the service's style.

/** A text of a standard's request, of at most `max` characters. */
export const Parameter = (max: number) => v.pipe(AnyText, v.maxCodePoints(max))
export const OptionalParameter = (max: number) => v.optional(Parameter(max))

/** A registered client's id holds its redirect URIs. */
export const MAX_CLIENT_ID = 8_192
export const MAX_URI = 2_048
/** A signed token of this service, with what a client's registration or request holds. */
export const MAX_TOKEN = 16_384
