import { LOOPBACK_HOST } from '../../schema/loopback.ts'

/**
 * Detects requests to a port of this machine that come from elsewhere. Any page can send requests to
 * 127.0.0.1, and can read the answers through a name that resolves to it (DNS rebinding). Its browser reveals
 * this: Host has the name, Origin the page.
 */

const LOCAL_HOST = new RegExp(`^${LOOPBACK_HOST}$`, 'i')
/** Wallets are extensions of the browser; no page has such an origin. */
const LOCAL_ORIGIN = new RegExp(
  `^(https?://${LOOPBACK_HOST}|(chrome|moz|safari-web)-extension://[\\w-]+)$`,
  'i',
)

/** Returns whether a request names a host other than this machine, or comes from a page of another host. */
export const isForeign = (host: string | undefined, origin: string | null | undefined): boolean =>
  !LOCAL_HOST.test(host ?? '') || (origin != null && !LOCAL_ORIGIN.test(origin))

/** The body of the 403 that a foreign request gets. */
export const FOREIGN =
  'This port serves only programs and pages on this machine: Host and Origin must be localhost or 127.0.0.1.\n'
