/**
 * Which requests to a port of this machine come from somewhere else. A page anywhere can send requests to
 * 127.0.0.1, and by a name of its own that it lets point there (DNS rebinding) read the answers. Its browser
 * says so: in Host the name, in Origin the page.
 */

const HOST = '(([\\w-]+\\.)*localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?'
const LOCAL_HOST = new RegExp(`^${HOST}$`, 'i')
/** Wallets are extensions of the browser; no page has such an origin. */
const LOCAL_ORIGIN = new RegExp(`^(https?://${HOST}|(chrome|moz|safari-web)-extension://[\\w-]+)$`, 'i')

/** Tells whether a request names another host than this machine, or was sent by a page of another. */
export const isForeign = (host: string | undefined, origin: string | null | undefined): boolean =>
  !LOCAL_HOST.test(host ?? '') || (origin != null && !LOCAL_ORIGIN.test(origin))

/** The body of the 403 that a foreign request gets. */
export const FOREIGN =
  'This port serves programs and pages of this machine alone: Host and Origin must be localhost or 127.0.0.1.\n'
