import { describe, expect, it } from 'vitest'
import { newestJobKey } from '../../../lib/work/settings.ts'
import { newWallet } from '../../support/stored-agents.ts'

describe('the newest key of jobs', () => {
  const [first, second] = [`1:${newWallet()}`, `2:${newWallet()}`]
  it.each([
    ['', '', undefined],
    [first, '', undefined],
    ['', first, undefined],
    [first, first, 1],
    [`${first},${second}`, `${first},${second}`, 2],
    // Without its recovery key nothing is funded under it, nor under an older one.
    [`${first},${second}`, first, undefined],
  ])('has a recovery key (%#)', (authorities, recoveries, version) => {
    const settings = { PAYMENTS_AUTHORITY_ADDRESSES: authorities, PAYMENTS_RECOVERY_ADDRESSES: recoveries }
    expect(newestJobKey(settings)).toBe(version)
  })
})
