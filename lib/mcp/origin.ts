import { LOOPBACK_HOST } from '../../schema/loopback.ts'
import { ApiError } from '../api-error.ts'

/** A page on the web, or one of the client's own machine, such as the MCP inspector's. */
const ALLOWED = new RegExp(`^(https://[\\w.:[\\]-]+|http://${LOOPBACK_HOST})$`, 'i')

/**
 * Accepts requests of programs, which send no Origin, and of pages over https or on loopback. MCP requires
 * the check. Any other page can be changed on its way, or its browser does not name it.
 * @throws ApiError `origin_refused`
 */
export function requireOrigin(headers: Headers): void {
  const origin = headers.get('origin')
  if (origin === null || ALLOWED.test(origin)) return
  throw new ApiError(
    'origin_refused',
    'The Origin of a page must be https, or http on localhost. Programs leave the header out.',
  )
}
