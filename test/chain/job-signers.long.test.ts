import { beforeAll, describe, expect, it } from 'vitest'
import { concat, u64 } from '../../lib/keys/bytes.ts'
import type { Signer } from '../../lib/keys/signer.ts'
import { TOKEN_PROGRAMS } from '../../lib/local/chain/svm.ts'
import { buildCollector, collectorAccount } from '../../lib/payments/chain/collector.ts'
import { newEscrow, refundAccount } from '../../lib/payments/chain/job-accounts.ts'
import { buildJobFunding, buildOpenRefundAccount } from '../../lib/payments/chain/job-transactions.ts'
import { type Address, addressBytes } from '../../lib/solana/address.ts'
import {
  type AccountMeta,
  type Instruction,
  readonly,
  signer,
  writable,
} from '../../lib/solana/instruction.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { type Approval, initializeMultisig2, transferChecked } from '../../lib/solana/programs/token.ts'
import type { Built } from '../../lib/transactions/cosigning/envelope.ts'
import { cred } from '../../schema/amounts.ts'
import { createSigner, signAll } from '../support/keys.ts'
import { createLedger, FUNDS, type Ledger } from '../support/ledger.ts'

/*
 * Tries every set of keys, by every authority, with every instruction of the Token program on the money of a
 * job. H is the hirer, P the agent's owner, S the authority, R the recovery key, X a stranger, and J the
 * judge.
 */

const NAMES = ['H', 'P', 'S', 'R', 'X', 'J'] as const
type Name = (typeof NAMES)[number]
const SETS = Array.from({ length: 2 ** NAMES.length - 1 }, (_, i) =>
  NAMES.filter((_name, bit) => (i + 1) & (1 << bit)),
)

const PRICE = cred(60n)
/** Tokens that somebody has sent to the escrow besides. */
const GIFT = 40n

describe.each(TOKEN_PROGRAMS)('the escrow of a job on %s', (tokenProgram) => {
  let ledger: Ledger
  let keys: Record<Name, Signer>
  let hirerTokens: Address
  let strangerTokens: Address
  let treasury: Address
  let ownerTokens: Address
  let refund: Address
  let payout: Address

  const jobKeys = () => ({ keyVersion: 1, authority: keys.S.address, recovery: keys.R.address })
  const network = () => ({ blockhash: ledger.blockhash(), computeUnitPrice: 1_000n })
  const rents = () => ({ multisig: ledger.rentOf(355), tokenAccount: ledger.rentOf(165) })
  const decimals = 9

  async function land({ transaction }: Built, ...signers: Signer[]) {
    const slots = signers.map(({ address }) => address)
    expect(ledger.send(await signAll(transaction, slots, signers)).error).toBeUndefined()
  }
  const move = (source: Address, destination: Address, amount: bigint, by: Approval): Instruction =>
    transferChecked({ source, mint: ledger.mint, destination, amount, decimals }, by)
  const isDone = async (signers: Signer[], ...instructions: Instruction[]) =>
    (await ledger.run(signers, instructions)).error === undefined

  beforeAll(async () => {
    ledger = await createLedger(tokenProgram)
    keys = Object.fromEntries(
      await Promise.all(NAMES.map(async (name) => [name, await createSigner()])),
    ) as Record<Name, Signer>
    for (const { address } of Object.values(keys)) ledger.airdrop(address, 1_000n * FUNDS)
    hirerTokens = await ledger.setTokens(keys.H.address, 1_000_000n)
    ownerTokens = await ledger.setTokens(keys.P.address, 0n)
    strangerTokens = await ledger.setTokens(keys.X.address, 1_000n)
    treasury = await ledger.setTokens((await createSigner()).address, 0n)
    refund = (await refundAccount(keys.H.address, 1)).address
    payout = (await collectorAccount(keys.P.address, 1)).address
    const at = () => ({ id: crypto.randomUUID(), rents: rents(), held: 0n, network: network() })
    await land(await buildOpenRefundAccount({ hirer: keys.H.address, keys: jobKeys() }, at()), keys.H)
    await land(await buildCollector({ owner: keys.P.address, keys: jobKeys() }, at()), keys.P)
  })

  async function fund(price = PRICE): Promise<Address> {
    await ledger.setTokens(keys.H.address, 1_000_000n)
    const escrow = await newEscrow(keys.H.address)
    const built = await buildJobFunding({
      ...{ id: crypto.randomUUID(), jobId: crypto.randomUUID(), keys: jobKeys(), mint: ledger.mint },
      ...{ hirer: keys.H.address, owner: keys.P.address, escrow, price, termsHash: 'ab'.repeat(32) },
      ...{ rents: rents(), network: network() },
    })
    await land(built, keys.H, keys.S)
    return escrow.address
  }

  describe('gives what it holds to nobody else', () => {
    async function newFunded(): Promise<Address> {
      await ledger.setTokens(keys.X.address, GIFT)
      const escrow = await fund()
      expect(await isDone([keys.X], move(strangerTokens, escrow, GIFT, { owner: keys.X.address }))).toBe(true)
      return escrow
    }
    async function newEmpty(): Promise<Address> {
      const escrow = await newFunded()
      const by = { owner: refund, signers: [keys.H.address, keys.S.address] }
      expect(await isDone([keys.H, keys.S], move(escrow, hirerTokens, PRICE + GIFT, by))).toBe(true)
      return escrow
    }

    /** Every instruction that an authority approves, by name. Amounts: the allowance, and one more. */
    function actsOf(by: AccountMeta[]): [string, (account: Address) => Instruction][] {
      const [stranger, to, mint] = [keys.X.address, writable(strangerTokens), ledger.mint]
      const act =
        (others: AccountMeta[], ...data: ArrayLike<number>[]) =>
        (account: Address): Instruction => ({
          program: TOKEN_PROGRAM,
          accounts: [writable(account), ...others, ...by],
          data: concat(...data),
        })
      const mintTo =
        (...data: ArrayLike<number>[]) =>
        (account: Address): Instruction => ({
          program: TOKEN_PROGRAM,
          accounts: [writable(mint), writable(account), ...by],
          data: concat(...data),
        })
      const batchOf = (make: (account: Address) => Instruction) => (account: Address) => {
        const { accounts, data, program } = make(account)
        return { program, accounts, data: concat([255, accounts.length, data.length], data) }
      }
      const setAuthority = (kind: number) => act([], [6, kind, 1], addressBytes(stranger))
      return [
        ...[PRICE, PRICE + 1n].flatMap((amount): [string, (account: Address) => Instruction][] => [
          [`transfer ${amount}`, act([to], [3], u64(amount))],
          [`transferChecked ${amount}`, act([readonly(mint), to], [12], u64(amount), [decimals])],
          [`burn ${amount}`, act([writable(mint)], [8], u64(amount))],
          [`burnChecked ${amount}`, act([writable(mint)], [15], u64(amount), [decimals])],
          [`batch of transfer ${amount}`, batchOf(act([to], [3], u64(amount)))],
        ]),
        ['approve', act([readonly(stranger)], [4], u64(1n))],
        ['approveChecked', act([readonly(mint), readonly(stranger)], [13], u64(1n), [decimals])],
        ['revoke', act([], [5])],
        ['setAuthority of minting', setAuthority(0)],
        ['setAuthority of freezing', setAuthority(1)],
        ['setAuthority of the owner', setAuthority(2)],
        ['setAuthority of closing', setAuthority(3)],
        ['mintTo', mintTo([7], u64(1n))],
        ['mintToChecked', mintTo([14], u64(1n), [decimals])],
        ['close', act([writable(stranger)], [9])],
        ['freeze', act([readonly(mint)], [10])],
        ['thaw', act([readonly(mint)], [11])],
        ['initializeAccount3', act([readonly(mint)], [18], addressBytes(stranger))],
        ['initializeImmutableOwner', act([], [22])],
        ['syncNative', act([], [17])],
        ['withdrawExcessLamports', act([writable(stranger)], [38])],
        ['unwrapLamports', act([writable(stranger)], [45, 0])],
      ]
    }

    /** Tries all acts by all authorities on such an escrow, and returns the smallest sets that each needs. */
    async function tryAll(make: () => Promise<Address>): Promise<Record<string, string[]>> {
      const multisigs = { 'refund account': refund, 'payout account': payout }
      const authorities = [
        ...Object.entries(multisigs).flatMap(([who, address]) =>
          SETS.map((set) => ({
            ...{ who, set },
            by: [readonly(address), ...set.map((name) => signer(keys[name].address))],
          })),
        ),
        ...NAMES.map((name) => ({ who: name, set: [name], by: [signer(keys[name].address)] })),
      ]
      const done: { act: string; set: Name[] }[] = []
      let escrow = await make()
      for (const { who, set, by } of authorities) {
        for (const [act, instructionOn] of actsOf(by)) {
          const signers = set.map((name) => keys[name])
          if (!(await isDone(signers, instructionOn(escrow)))) continue
          done.push({ act: `${who}: ${act}`, set })
          escrow = await make()
        }
      }
      const isLeast = (set: Name[], sets: Name[][]) =>
        !sets.some((one) => one !== set && one.every((name) => set.includes(name)))
      return Object.fromEntries(
        [...Map.groupBy(done, ({ act }) => act)].map(([act, ways]) => {
          const sets = ways.map(({ set }) => set)
          return [act, sets.filter((set) => isLeast(set, sets)).map((set) => set.join('+'))]
        }),
      )
    }

    it('whatever keys sign whatever instruction', async () => {
      const hasMore = tokenProgram === 'p-token'
      const asOwner = [
        ...['transfer 60', 'transferChecked 60', 'burn 60', 'burnChecked 60'],
        ...['transfer 61', 'transferChecked 61', 'burn 61', 'burnChecked 61'],
        ...['approve', 'approveChecked', 'revoke', 'setAuthority of the owner'],
        ...(hasMore ? ['batch of transfer 60', 'batch of transfer 61', 'withdrawExcessLamports'] : []),
      ]
      const asDelegate = [
        ...['transfer 60', 'transferChecked 60', 'burn 60', 'burnChecked 60'],
        // Giving the allowance up is at P's own cost.
        ...(hasMore ? ['batch of transfer 60', 'revoke'] : []),
      ]
      expect(await tryAll(newFunded)).toEqual({
        ...Object.fromEntries(asOwner.map((act) => [`refund account: ${act}`, ['H+S', 'H+R']])),
        ...Object.fromEntries(asDelegate.map((act) => [`payout account: ${act}`, ['P+S']])),
        // Only who gets the rent of the empty account.
        'H: setAuthority of closing': ['H'],
      })
    })

    it('and the allowance ends when it is spent: P and S take no gift', async () => {
      const escrow = await newFunded()
      const by = { owner: payout, signers: [keys.P.address, keys.S.address] }
      expect(await isDone([keys.P, keys.S], move(escrow, ownerTokens, PRICE, by))).toBe(true)
      expect(ledger.tokensIn(escrow)).toBe(GIFT)
      expect(await isDone([keys.P, keys.S], move(escrow, ownerTokens, 1n, by))).toBe(false)
    })

    it('and only H closes it, once it is empty', async () => {
      const sets = await tryAll(newEmpty)
      expect(Object.entries(sets).filter(([act]) => act.endsWith(': close'))).toEqual([['H: close', ['H']]])
    })

    it('and the two multisigs stay as they are', async () => {
      const all = NAMES.map((name) => keys[name])
      const signers = all.map(({ address }) => address)
      for (const multisig of [refund, payout]) {
        const before = ledger.account(multisig)?.data
        expect(await isDone([keys.H], initializeMultisig2(multisig, 1, [keys.H.address]))).toBe(false)
        for (const owner of [refund, payout, ...signers]) {
          const by = signers.includes(owner) ? [signer(owner)] : [readonly(owner), ...signers.map(signer)]
          // It takes SOL above the account's rent; the account has no more.
          for (const [act, instructionOn] of actsOf(by))
            if (act !== 'withdrawExcessLamports')
              expect([act, await isDone(all, instructionOn(multisig))]).toEqual([act, false])
        }
        expect(ledger.account(multisig)?.data).toEqual(before)
      }
    })
  })

  it('backs what is due in all orders of refunds, payments and gifts, and only with guards', async () => {
    const orders = (all: string[]): string[][] =>
      all.length < 2
        ? [all]
        : [...new Set(all)].flatMap((one) =>
            orders(all.toSpliced(all.indexOf(one), 1)).map((rest) => [one, ...rest]),
          )
    const all = orders(['refund', 'refund', 'pay', 'pay', 'gift of 60', 'gift of 1'])
    expect(all).toHaveLength(180)
    const byHirer = { owner: refund, signers: [keys.H.address, keys.S.address] }
    const byOwner = { owner: payout, signers: [keys.P.address, keys.S.address] }
    /** Whether the escrow always held what both sides had not had yet: 60 for H, 40 for P. */
    async function isBacked(order: string[], isGuarded: boolean): Promise<boolean> {
      const escrow = await fund(cred(100n))
      const guard = (by: Approval) => (isGuarded ? [move(escrow, escrow, 100n, by)] : [])
      let [hirer, owner] = [60n, 40n]
      for (const step of order) {
        if (step === 'refund') {
          const transfer = move(escrow, hirerTokens, 60n, byHirer)
          if (await isDone([keys.H, keys.S], ...guard(byHirer), transfer)) hirer -= 60n
        } else if (step === 'pay') {
          const transfers = [move(escrow, ownerTokens, 39n, byOwner), move(escrow, treasury, 1n, byOwner)]
          if (await isDone([keys.P, keys.S], ...guard(byOwner), ...transfers)) owner -= 40n
        } else {
          const [source, by] = step === 'gift of 60' ? [hirerTokens, keys.H] : [strangerTokens, keys.X]
          const amount = step === 'gift of 60' ? 60n : 1n
          expect(await isDone([by], move(source, escrow, amount, { owner: by.address }))).toBe(true)
        }
        const due = (hirer > 0n ? hirer : 0n) + (owner > 0n ? owner : 0n)
        if (ledger.tokensIn(escrow) < due) return false
      }
      return true
    }
    strangerTokens = await ledger.setTokens(keys.X.address, 1_000n)
    const unbacked = { guarded: 0, unguarded: 0 }
    for (const order of all) {
      if (!(await isBacked(order, true))) unbacked.guarded += 1
      if (!(await isBacked(order, false))) unbacked.unguarded += 1
    }
    expect(unbacked).toEqual({ guarded: 0, unguarded: 18 })
  })
})
