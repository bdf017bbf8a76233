import { hostOf } from '../../../schema/urls.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import type { Hook } from '../hook-queries.ts'

/** What a target and its host are known by. */
type Target = {
  /** The URL's SHA-256 in hexadecimal. */
  urlHash: string
  /** The URL's host and port, as a URL parser has them: names can be written in many ways. */
  host: string
}

/** Where something is due: an endpoint, and the URL that it had when that was found. */
export type DueTarget = Target & { endpointId: string }

/** A run for one endpoint alone, to begin after so many milliseconds. */
export type LoneRun = { target: DueTarget; delayMs: number }

export const targetOf = async (url: string): Promise<Target> => ({
  urlHash: await sha256Hex(url),
  host: hostOf(url),
})

export const dueTargetOf = async ({ id, url }: Pick<Hook, 'id' | 'url'>): Promise<DueTarget> => ({
  endpointId: id,
  ...(await targetOf(url)),
})
