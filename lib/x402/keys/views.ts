import type { Wire } from '../../../schema/wire/common.ts'
import type { FacilitatorKey } from '../../../schema/wire/x402.ts'

/** Returns a key with the facilitator's URL, at the origin of the request. */
export const keyView = (
  { agentId, keyVersion, key }: { agentId: string; keyVersion: number; key: string },
  askedUrl: string,
): Wire<typeof FacilitatorKey> => ({
  agentId,
  generation: keyVersion,
  key,
  url: `${new URL(askedUrl).origin}/v1/x402/k/${key}`,
})
