import { describe, expect, it } from 'vitest'
import { dateError } from '../../../lib/reputation/attestations/credentials.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')

describe('the dates of a credential', () => {
  it.each([
    [{ issuedDate: '2026-11-20' }, undefined],
    // It is already the 21st on the first islands at 12:00 UTC.
    [{ issuedDate: '2026-11-21' }, undefined],
    [{ issuedDate: '2026-11-22' }, 'issuedDate'],
    [{ expiryDate: '2026-11-20' }, undefined],
    [{ expiryDate: '2026-11-19' }, 'expiryDate'],
    [{ issuedDate: '2026-11-20', expiryDate: '2026-11-20' }, undefined],
    [{ issuedDate: '2026-11-21', expiryDate: '2026-11-20' }, 'expiryDate'],
    [{}, undefined],
  ])('%o: error in %s', (dates, path) => {
    expect(dateError(dates, NOW)?.path).toBe(path)
  })
})
