import { expect } from 'vitest'
import { addressHash } from '../../lib/quotas/address.ts'
import type { Answer, Service } from './service.ts'

const ADDRESS = '192.0.2.77'

/** One client address, from which any number of wallets call. */
export function oneAddress(service: Service) {
  const query = async (text: string, ...params: string[]) =>
    (await service.database.engine.run([{ query: text, params }]))[0]?.rows ?? []
  return {
    headers: { 'cf-connecting-ip': ADDRESS },
    query,
    /** Adds to its use of a limit in this hour. @returns the sum */
    used: async (counted: Parameters<typeof addressHash>[0], more = 0) => {
      const hash = await addressHash(counted, ADDRESS)
      const add = 'update address_quotas set used = used + $2::integer where address_hash = $1 returning used'
      return Number((await query(add, hash, String(more)))[0]?.[0] ?? 0)
    },
    /** Gives a wallet room for so many calls beyond the address's limits, as protocol fees do. */
    payFor: (wallet: string, calls = 10) =>
      query(
        `insert into wallet_quotas (wallet, paid_room) values ($1, 20000000 * $2::integer)
        on conflict (wallet) do update set paid_room = excluded.paid_room`,
        wallet,
        String(calls),
      ),
  }
}

/** Expects the refusal of a limit that an address has in an hour. */
export function expectUsedUp(answer: Answer | undefined, policy: string) {
  const { status, body, headers } = answer ?? expect.fail('there is no such answer')
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' })
  expect(headers.get('ratelimit-policy')).toBe(`${policy};w=3600`)
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(3600)
}
