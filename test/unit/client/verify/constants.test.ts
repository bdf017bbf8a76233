import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  associated,
  budgetAccountOf,
  MAX_BUDGET_ACCOUNTS,
  payoutAccountOf,
  refundAccountOf,
  vaultOf,
} from '../../../../lib/client/verify/accounts.ts'
import { MAX_CLOSED, MAX_JOB_LEGS } from '../../../../lib/client/verify/job-lists.ts'
import { APY_BPS, MAX_CLAIMED, MAX_COLLECTED } from '../../../../lib/client/verify/lists.ts'
import { isOnCurve, sha256 } from '../../../../lib/client/verify/noble.ts'
import type { Order } from '../../../../lib/client/verify/order.ts'
import * as client from '../../../../lib/client/verify/programs.ts'
import { cred } from '../../../../lib/client/verify/values.ts'
import { verify } from '../../../../lib/client/verify/verify.ts'
import { budgetAccount } from '../../../../lib/payments/chain/budget-account.ts'
import { MAX_LEGS } from '../../../../lib/payments/chain/collection.ts'
import { collectorAccount } from '../../../../lib/payments/chain/collector.ts'
import { refundAccount } from '../../../../lib/payments/chain/job-accounts.ts'
import * as jobs from '../../../../lib/payments/chain/job-transactions.ts'
import { addressOf, isOnCurve as isOnCurveOfService } from '../../../../lib/solana/address.ts'
import { associatedTokenAddress } from '../../../../lib/solana/programs/associated-token.ts'
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../../lib/solana/programs/compute-budget.ts'
import * as programs from '../../../../lib/solana/programs/programs.ts'
import * as token from '../../../../lib/solana/programs/token.ts'
import { budgetError } from '../../../../lib/transactions/cosigning/budget.ts'
import { COMPUTE_UNIT_LIMIT } from '../../../../lib/transactions/cosigning/envelope.ts'
import { vaultAccount } from '../../../../lib/vault/addresses.ts'
import { MAX_POSITIONS_PER_CLAIM } from '../../../../lib/vault/escrow/claim.ts'
import * as vault from '../../../../lib/vault/rules.ts'
import { CRED_DECIMALS, formatAmount, lamports } from '../../../../schema/amounts.ts'
import { buildAll, factsOf, HIRE_ID, wallet } from '../../../support/built-transactions.ts'

/* The client imports nothing of the service: its constants are the service's. */

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const address = bytes.map((key) => addressOf(key))

describe('the client and the service', () => {
  it('have the same programs, sizes and limits', () => {
    const { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } =
      programs
    const { MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } = token
    expect(client).toMatchObject({
      ...{ ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM },
      ...{ MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES, COMPUTE_UNIT_LIMIT, CRED_DECIMALS },
    })
    expect(MAX_COLLECTED).toBe(MAX_LEGS.open)
    expect({ MAX_JOB_LEGS, MAX_CLOSED }).toEqual({
      MAX_JOB_LEGS: jobs.MAX_JOB_LEGS,
      MAX_CLOSED: jobs.MAX_CLOSED,
    })
    expect(MAX_CLAIMED).toBe(MAX_POSITIONS_PER_CLAIM.service_first.associated)
    expect(APY_BPS).toEqual(vault.APY_BPS)
  })

  it('have fee caps of which the client’s is the lower', () => {
    const priceOf = (fee: bigint) => (fee * 1_000_000n) / BigInt(COMPUTE_UNIT_LIMIT)
    const errorOf = (fee: bigint) =>
      budgetError([setComputeUnitLimit(COMPUTE_UNIT_LIMIT), setComputeUnitPrice(priceOf(fee))])
    expect(errorOf(client.MAX_FEE_LAMPORTS)).toBeUndefined()
    expect(errorOf(10n * client.MAX_FEE_LAMPORTS)).toBeUndefined()
    expect(errorOf(11n * client.MAX_FEE_LAMPORTS)).toBe('priority_fee_too_high')
  })

  it('derive the same accounts', async () => {
    await fc.assert(
      fc.asyncProperty(
        address,
        address,
        fc.integer({ min: 1, max: 32_767 }),
        async (owner, mint, keyVersion) => {
          expect(associated(owner, mint)).toBe(await associatedTokenAddress(owner, mint))
          expect(vaultOf(owner, keyVersion).address).toBe(
            (await vaultAccount({ owner, keys: { keyVersion } })).address,
          )
          expect(payoutAccountOf(owner, keyVersion).address).toBe(
            (await collectorAccount(owner, keyVersion)).address,
          )
          expect(refundAccountOf(owner, keyVersion).address).toBe(
            (await refundAccount(owner, keyVersion)).address,
          )
        },
      ),
      { numRuns: 20 },
    )
  })

  it('derive the same budget accounts, of which the client knows the first sixteen', async () => {
    const hirer = addressOf(new Uint8Array(32).fill(3))
    for (let budgetNumber = 0; budgetNumber <= MAX_BUDGET_ACCOUNTS; budgetNumber += 1) {
      const { address, seed } = await budgetAccount(hirer, { hireId: HIRE_ID, budgetNumber })
      const found = budgetAccountOf(hirer, HIRE_ID, address)
      expect(found?.seed).toBe(budgetNumber < MAX_BUDGET_ACCOUNTS ? seed : undefined)
    }
  })

  it('agree which bytes are on the curve', () => {
    const edges = [0, 1, 2, 18, 19, 0xec, 0xed, 0xee, 0xff].flatMap((low) =>
      [0, 0x7f, 0x80, 0xff].map((high) =>
        new Uint8Array(32)
          .fill(high === 0 ? 0 : 0xff)
          .with(0, low)
          .with(31, high),
      ),
    )
    for (const edge of edges) expect(isOnCurve(edge), edge.join()).toBe(isOnCurveOfService(edge))
    fc.assert(
      fc.property(bytes, (some) => {
        const hash = sha256(some)
        expect(isOnCurve(hash)).toBe(isOnCurveOfService(hash))
      }),
      { numRuns: 200 },
    )
  })

  it('write the same amounts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        expect(cred(amount)).toBe(formatAmount(lamports(amount)))
      }),
    )
    for (const amount of [0n, 1n, 10n, 1_000_000_000n, 10_000_000_000n])
      expect(cred(amount)).toBe(formatAmount(lamports(amount)))
  })
})

describe('the check', () => {
  it('needs no digest of Web Crypto and no TextDecoder, which React Native lacks', async () => {
    const [built] = await buildAll(1)
    vi.stubGlobal('TextDecoder', undefined)
    vi.stubGlobal('crypto', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const bytes = new Uint8Array(Buffer.from(built?.transaction ?? '', 'base64'))
    expect(verify(built?.order as Order, bytes, wallet, factsOf(1))).toMatchObject({ flow: 'fund' })
  })
})
