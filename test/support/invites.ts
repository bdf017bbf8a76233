import { issueInvites, revoke } from '../../lib/pioneer/issue.ts'
import type { PioneerTier } from '../../schema/values.ts'
import type { Service } from './service.ts'
import { openDatabaseOf } from './service-database.ts'

/** Issues and revokes invite codes of a service, as an operator would, past the Workers. */
export async function openInvites(service: Service) {
  const { db, close } = await openDatabaseOf(service)
  const deps = () => ({ db, now: new Date(service.clock.now()) })
  return {
    db,
    issue: (count: number, changes: { tier?: PioneerTier; expiresAt?: Date } = {}) =>
      issueInvites(deps(), { count, tier: 'founding', ...changes }),
    async issueOne(changes: { tier?: PioneerTier; expiresAt?: Date } = {}): Promise<string> {
      const [code] = await issueInvites(deps(), { count: 1, tier: 'founding', ...changes })
      if (code === undefined) throw new Error('no code was issued')
      return code
    },
    revoke: (codeOrId: string) => revoke(deps(), codeOrId),
    close,
  }
}
