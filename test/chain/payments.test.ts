import { base64 } from '@scure/base'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Signer } from '../../lib/keys/signer.ts'
import { TOKEN_PROGRAMS } from '../../lib/local/chain/svm.ts'
import { buildFunding, buildWithdrawal } from '../../lib/payments/chain/budget.ts'
import { type BudgetState, budgetState, collectibleOf } from '../../lib/payments/chain/budget-account.ts'
import { buildCollection, type Leg, MAX_LEGS } from '../../lib/payments/chain/collection.ts'
import { buildCollector, collectorAccount, collectorState } from '../../lib/payments/chain/collector.ts'
import { buildPurchase, purchaseReference } from '../../lib/payments/chain/purchase.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import type { Address } from '../../lib/solana/address.ts'
import { decodeMessage } from '../../lib/solana/decode-message.ts'
import { encodeMessage } from '../../lib/solana/message.ts'
import { randomSeed, seededTokenAccount } from '../../lib/solana/programs/seeded-account.ts'
import { createAccountWithSeed, type SeededAccount } from '../../lib/solana/programs/system.ts'
import {
  approveChecked,
  closeAccount,
  initializeAccount3,
  initializeMultisig2,
  revoke,
  transferChecked,
} from '../../lib/solana/programs/token.ts'
import { decodeTransaction, encodeTransaction } from '../../lib/solana/transaction.ts'
import { COMPUTE_UNIT_LIMIT, MAX_WALLET_FIRST_BYTES } from '../../lib/transactions/cosigning/envelope.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import { createSigner, signAll } from '../support/keys.ts'
import { createLedger, type Ledger } from '../support/ledger.ts'

const HIRER_TOKENS = 1_000_000n
const FEE_BPS = 100
const HIRE = crypto.randomUUID()

describe.each(TOKEN_PROGRAMS)('payments on %s', (tokenProgram) => {
  let ledger: Ledger
  let authority: Signer
  let treasury: Address
  let owner: Signer
  let hirer: Signer
  let hirerTokens: Address
  let ownerTokens: Address
  let collector: Address

  beforeAll(async () => {
    ledger = await createLedger(tokenProgram)
    authority = await createSigner()
    ledger.airdrop(authority.address)
  })

  beforeEach(async () => {
    owner = await createSigner()
    hirer = await createSigner()
    ledger.airdrop(owner.address)
    ledger.airdrop(hirer.address)
    hirerTokens = await ledger.setTokens(hirer.address, HIRER_TOKENS)
    ownerTokens = await ledger.setTokens(owner.address, 0n)
    treasury = await ledger.setTokens((await createSigner()).address, 0n)
    collector = (await collectorAccount(owner.address, 1)).address
  })

  const keys = () => ({ keyVersion: 1, authority: authority.address })
  const network = () => ({ blockhash: ledger.blockhash(), computeUnitPrice: 1000n })
  const rents = () => ({ multisig: ledger.rentOf(355), tokenAccount: ledger.rentOf(165) })
  const newAccount = () => seededTokenAccount(hirer.address, randomSeed())

  /** Signs with these keys, and sends. */
  async function send(transaction: string, ...signers: Signer[]) {
    const slots = signers.map(({ address }) => address)
    return ledger.send(await signAll(transaction, slots, signers))
  }

  /** The same transaction on the newest blockhash: LiteSVM takes no other. */
  function renewed(transaction: string): string {
    const decoded = decodeMessage(decodeTransaction(transaction)?.message ?? new Uint8Array())
    if (!decoded.ok) throw new Error(decoded.error)
    const message = encodeMessage({ ...decoded.message, blockhash: ledger.blockhash() })
    const { signatures = [] } = decodeTransaction(transaction) ?? {}
    return encodeTransaction({ signatures, message })
  }

  async function land(transaction: string, ...signers: Signer[]) {
    const outcome = await send(transaction, ...signers)
    expect(outcome.error).toBeUndefined()
    return outcome
  }

  const collectorOf = () =>
    buildCollector(
      { owner: owner.address, keys: keys() },
      { id: crypto.randomUUID(), rents: rents(), held: ledger.lamportsOf(collector), network: network() },
    )

  async function openCollector() {
    const built = await collectorOf()
    const outcome = await land(built.transaction, owner)
    expect(collectorState(ledger.account(collector), { owner: owner.address, keys: keys() })).toBe('open')
    return { built, outcome }
  }

  const stateOf = (address: Address): BudgetState =>
    budgetState(ledger.account(address), {
      hirer: hirer.address,
      mint: ledger.mint,
      collectors: new Map([[collector, 1]]),
    })

  async function fundingOf(account: SeededAccount, amount: bigint) {
    const state = stateOf(account.address)
    if (state.kind === 'foreign') throw new Error('not the hirer’s budget account')
    return buildFunding({
      id: crypto.randomUUID(),
      hireId: HIRE,
      hirer: hirer.address,
      mint: ledger.mint,
      network: network(),
      rents: rents(),
      account,
      state,
      collector,
      amount: cred(amount),
    })
  }

  /** Opens the payout account and a budget account that holds so much. */
  async function funded(amount: bigint): Promise<SeededAccount> {
    await openCollector()
    return fundedBeside(amount)
  }

  async function fundedBeside(amount: bigint): Promise<SeededAccount> {
    const account = await newAccount()
    await land((await fundingOf(account, amount)).transaction, hirer)
    return account
  }

  const withdrawalOf = (address: Address, balance: Cred, leaveOpen = false) =>
    buildWithdrawal({
      id: crypto.randomUUID(),
      hireId: HIRE,
      hirer: hirer.address,
      mint: ledger.mint,
      network: network(),
      address,
      balance,
      leaveOpen,
    })

  const legOf = ({ address }: SeededAccount, amount: bigint): Leg => ({
    address,
    amount: cred(amount),
    fee: protocolFee(amount, FEE_BPS),
  })

  const collectionOf = (legs: Leg[], ownerTokens: 'open' | 'absent' = 'open') =>
    buildCollection({
      id: crypto.randomUUID(),
      owner: owner.address,
      keys: keys(),
      mint: ledger.mint,
      treasury,
      ownerTokens,
      legs,
      network: network(),
    })

  const collect = async (...legs: Leg[]) => send((await collectionOf(legs)).transaction, owner, authority)

  const balances = () => [hirerTokens, ownerTokens, treasury].map((address) => ledger.tokensIn(address))

  describe('the whole cycle', () => {
    it('funds, collects less the fee, tops up and withdraws to the lamport', async () => {
      const fee = protocolFee(3_001n, FEE_BPS)
      const account = await funded(10_000n)
      expect(stateOf(account.address)).toEqual({
        kind: 'open',
        balance: 10_000n,
        allowance: 10_000n,
        keyVersion: 1,
        isFrozen: false,
      })
      expect((await collect(legOf(account, 3_001n))).error).toBeUndefined()
      expect(balances()).toEqual([HIRER_TOKENS - 10_000n, 3_001n - fee, fee])
      expect(collectibleOf(stateOf(account.address))).toBe(6_999n)

      await land((await fundingOf(account, 500n)).transaction, hirer)
      expect(stateOf(account.address)).toMatchObject({ balance: 7_499n, allowance: 7_499n })

      const before = ledger.lamportsOf(hirer.address)
      const withdrawal = await withdrawalOf(account.address, cred(7_499n))
      await land(withdrawal.transaction, hirer)
      expect(ledger.account(account.address)).toBeUndefined()
      expect(balances()).toEqual([HIRER_TOKENS - 3_001n, 3_001n - fee, fee])
      expect(ledger.lamportsOf(hirer.address)).toBe(before + rents().tokenAccount - withdrawal.fee)
    })

    it('fits its transactions, with room for guards, and stays within its compute limit', async () => {
      const { built, outcome } = await openCollector()
      const bytesOf = (transaction: string) => base64.decode(transaction).length
      const accounts: SeededAccount[] = []
      const units = [outcome.units]
      const opening: number[] = []
      for (let i = 0; i < MAX_LEGS.open; i += 1) {
        const account = await newAccount()
        const funding = await fundingOf(account, 50_000n)
        units.push((await land(funding.transaction, hirer)).units)
        opening.push(bytesOf(funding.transaction))
        accounts.push(account)
      }
      const [first] = accounts
      if (!first) throw new Error('no account')
      const topUp = await fundingOf(first, 50_000n)
      const withdrawal = await withdrawalOf(first.address, cred(50_000n))
      const one = await collectionOf([legOf(first, 50_000n)])
      const all = await collectionOf(accounts.map((account) => legOf(account, 50_000n)))
      const sizes = {
        collector: bytesOf(built.transaction),
        opening: opening[0],
        topUp: bytesOf(topUp.transaction),
        withdrawal: bytesOf(withdrawal.transaction),
        one: bytesOf(one.transaction),
        all: bytesOf(all.transaction),
      }
      expect(sizes).toEqual({
        collector: 670,
        opening: 849,
        topUp: 545,
        withdrawal: 570,
        one: 639,
        all: 987,
      })
      expect(Math.max(...Object.values(sizes).map(Number))).toBeLessThanOrEqual(MAX_WALLET_FIRST_BYTES)
      const collected = await land(all.transaction, owner, authority)
      expect(collected.units).toBeLessThan((COMPUTE_UNIT_LIMIT * 3) / 4)
      expect(Math.max(...units.map(Number))).toBeLessThan(COMPUTE_UNIT_LIMIT / 2)
      expect(ledger.tokensIn(treasury)).toBe(BigInt(MAX_LEGS.open) * 500n)
    })

    it('pays as many accounts as fit with the largest amounts, and no more', async () => {
      await openCollector()
      const legs = await Promise.all(
        Array.from({ length: MAX_LEGS.open + 1 }, async () => legOf(await newAccount(), 2n ** 53n - 1n)),
      )
      for (const tokens of ['open', 'absent'] as const) {
        const most = await collectionOf(legs.slice(0, MAX_LEGS[tokens]), tokens)
        const room = MAX_WALLET_FIRST_BYTES - base64.decode(most.transaction).length
        // One account takes 73 bytes: its address and two instructions.
        expect(room).toBeGreaterThanOrEqual(0)
        expect(room).toBeLessThan(73)
        await expect(collectionOf(legs.slice(0, MAX_LEGS[tokens] + 1), tokens)).rejects.toThrow(RangeError)
      }
    })

    it('makes the owner’s token account when it is missing', async () => {
      const account = await funded(10_000n)
      await ledger.run([owner], [closeAccount(ownerTokens, owner.address, { owner: owner.address })])
      const built = await collectionOf([legOf(account, 1_000n)], 'absent')
      await land(built.transaction, owner, authority)
      expect(ledger.tokensIn(ownerTokens)).toBe(990n)
    })

    it('opens payout and budget account although a stranger has sent lamports to both', async () => {
      const account = await newAccount()
      const stranger = await createSigner()
      ledger.airdrop(stranger.address)
      ledger.airdrop(collector, 1_000_000n)
      ledger.airdrop(account.address, 5_000_000n)
      await openCollector()
      await land((await fundingOf(account, 10n)).transaction, hirer)
      expect(stateOf(account.address)).toMatchObject({ kind: 'open', balance: 10n })
    })
  })

  describe('a purchase of credit', () => {
    const purchaseOf = (amount: bigint, id: string = crypto.randomUUID()) =>
      buildPurchase({
        id,
        owner: hirer.address,
        keys: keys(),
        mint: ledger.mint,
        treasury,
        amount: cred(amount),
        network: network(),
      })

    it('pays the treasury, names its reference, and fits with room for guards', async () => {
      const id = crypto.randomUUID()
      const { transaction } = await purchaseOf(700n, id)
      expect(base64.decode(transaction)).toHaveLength(565)
      const decoded = decodeMessage(decodeTransaction(transaction)?.message ?? new Uint8Array())
      if (!decoded.ok) throw new Error(decoded.error)
      const reference = await purchaseReference(hirer.address, id)
      expect(decoded.message.accounts).toContainEqual({
        address: reference,
        isSigner: false,
        isWritable: false,
      })
      await land(transaction, hirer, authority)
      expect(balances()).toEqual([HIRER_TOKENS - 700n, 0n, 700n])
      expect(ledger.account(reference)).toBeUndefined()
    })

    it('lands with both signatures only, and not for more than its wallet has', async () => {
      const { transaction } = await purchaseOf(700n)
      const stranger = await createSigner()
      for (const signers of [[hirer], [authority], [hirer, stranger], [stranger, authority]])
        await expect(
          send(transaction, ...signers).then(({ error }) => Promise.reject(error)),
        ).rejects.toBeDefined()
      expect(
        (await send((await purchaseOf(HIRER_TOKENS + 1n)).transaction, hirer, authority)).error,
      ).toBeDefined()
      expect(balances()).toEqual([HIRER_TOKENS, 0n, 0n])
    })
  })

  describe('the signers that can take from a budget account', () => {
    const REFUSED = /MissingRequiredSignature/

    it('refuses every signature of a built collection but both', async () => {
      const account = await funded(10_000n)
      const { transaction } = await collectionOf([legOf(account, 100n)])
      await expect(send(transaction, owner)).rejects.toThrow(/missing signatures/)
      await expect(send(transaction, authority)).rejects.toThrow(/missing signatures/)
    })

    it('refuses the agent alone, even twice, the service alone, and agent with hirer', async () => {
      const account = await funded(10_000n)
      const take = (signers: Signer[], named = signers) =>
        ledger.run(signers, [
          transferChecked(
            { source: account.address, mint: ledger.mint, destination: ownerTokens, amount: 1n, decimals: 9 },
            { owner: collector, signers: named.map(({ address }) => address) },
          ),
        ])
      expect((await take([owner])).error).toMatch(REFUSED)
      expect((await take([owner], [owner, owner])).error).toMatch(REFUSED)
      expect((await take([authority])).error).toMatch(REFUSED)
      expect((await take([authority], [authority, authority])).error).toMatch(REFUSED)
      expect((await take([owner, hirer])).error).toMatch(REFUSED)
      expect((await take([hirer, authority])).error).toMatch(REFUSED)
      const asDelegate = await ledger.run(
        [owner],
        [
          transferChecked(
            { source: account.address, mint: ledger.mint, destination: ownerTokens, amount: 1n, decimals: 9 },
            { owner: owner.address },
          ),
        ],
      )
      expect(asDelegate.error).toMatch(/OwnerMismatch|Custom\(4\)/)
      expect(ledger.tokensIn(account.address)).toBe(10_000n)
    })

    it('lets owner and authority neither close the account nor approve more', async () => {
      const account = await funded(10n)
      const both = { owner: collector, signers: [owner.address, authority.address] }
      const approval = { account: account.address, mint: ledger.mint, delegate: owner.address }
      for (const instruction of [
        closeAccount(account.address, owner.address, both),
        approveChecked({ ...approval, amount: 10n, decimals: 9 }, both),
      ]) {
        expect((await ledger.run([owner, authority], [instruction])).error).toBeDefined()
      }
    })

    it('pays nothing beyond the allowance, at any balance', async () => {
      const account = await funded(1_000n)
      await ledger.run(
        [hirer],
        [
          transferChecked(
            {
              source: hirerTokens,
              mint: ledger.mint,
              destination: account.address,
              amount: 500n,
              decimals: 9,
            },
            { owner: hirer.address },
          ),
        ],
      )
      expect(collectibleOf(stateOf(account.address))).toBe(1_000n)
      expect((await collect(legOf(account, 1_001n))).error).toMatch(/Custom\(1\)|InsufficientFunds/)
      expect((await collect(legOf(account, 1_000n))).error).toBeUndefined()
      expect((await collect(legOf(account, 1n))).error).toBeDefined()
      expect(ledger.tokensIn(account.address)).toBe(500n)
    })

    it('collects from all accounts or from none', async () => {
      const [rich, poor] = [await funded(1_000n), await fundedBeside(10n)]
      expect((await collect(legOf(rich, 500n), legOf(poor, 11n))).error).toBeDefined()
      expect(balances().slice(1)).toEqual([0n, 0n])
      expect((await collect(legOf(rich, 500n), legOf(poor, 10n))).error).toBeUndefined()
    })

    it('pays nothing after revocation, from a frozen account, or without the payout account', async () => {
      const early = await newAccount()
      await land((await fundingOf(early, 100n)).transaction, hirer)
      expect((await collect(legOf(early, 100n))).error).toBeDefined()
      await openCollector()
      const account = await fundedBeside(100n)
      ledger.setFrozen(account.address, true)
      expect(collectibleOf(stateOf(account.address))).toBe(0n)
      expect((await collect(legOf(account, 100n))).error).toBeDefined()
      ledger.setFrozen(account.address, false)
      await ledger.run([hirer], [revoke(account.address, { owner: hirer.address })])
      expect(stateOf(account.address)).toMatchObject({ balance: 100n, allowance: 0n, keyVersion: undefined })
      expect((await collect(legOf(account, 100n))).error).toBeDefined()
    })

    it('clears the delegate of an account that is closed and made again', async () => {
      const account = await funded(100n)
      await land((await withdrawalOf(account.address, cred(100n))).transaction, hirer)
      await ledger.run(
        [hirer],
        [
          createAccountWithSeed(account, rents().tokenAccount, 165n),
          initializeAccount3(account.address, ledger.mint, hirer.address),
          transferChecked(
            {
              source: hirerTokens,
              mint: ledger.mint,
              destination: account.address,
              amount: 100n,
              decimals: 9,
            },
            { owner: hirer.address },
          ),
        ],
      )
      expect(collectibleOf(stateOf(account.address))).toBe(0n)
      expect((await collect(legOf(account, 1n))).error).toBeDefined()
    })
  })

  describe('payout accounts', () => {
    it('distinguishes other or fewer required signers from the service’s', async () => {
      const account = await collectorAccount(owner.address, 1)
      const standsAs = async (required: number, signers: Address[]) => {
        const made = await createSigner()
        ledger.airdrop(made.address)
        const own = await collectorAccount(made.address, 1)
        const outcome = await ledger.run(
          [made],
          [
            createAccountWithSeed(own, rents().multisig, 355n),
            initializeMultisig2(
              own.address,
              required,
              signers.map((one) => (one === owner.address ? made.address : one)),
            ),
          ],
        )
        expect(outcome.error).toBeUndefined()
        return collectorState(ledger.account(own.address), { owner: made.address, keys: keys() })
      }
      expect(collectorState(ledger.account(account.address), { owner: owner.address, keys: keys() })).toBe(
        'absent',
      )
      expect(await standsAs(2, [owner.address, authority.address])).toBe('open')
      expect(await standsAs(1, [owner.address, authority.address])).toBe('foreign')
      expect(await standsAs(2, [authority.address, owner.address])).toBe('foreign')
      expect(await standsAs(2, [owner.address, owner.address])).toBe('foreign')
      expect(await standsAs(2, [owner.address, authority.address, owner.address])).toBe('foreign')
    })

    it('can’t be made twice, changed or closed', async () => {
      const { built } = await openCollector()
      expect((await send(renewed(built.transaction), owner)).error).toBeDefined()
      const again = await ledger.run([owner], [initializeMultisig2(collector, 1, [owner.address])])
      expect(again.error).toBeDefined()
      const closed = await ledger.run(
        [owner, authority],
        [
          closeAccount(collector, owner.address, {
            owner: collector,
            signers: [owner.address, authority.address],
          }),
        ],
      )
      expect(closed.error).toBeDefined()
    })
  })

  describe('a top-up', () => {
    it('fails after a collection in between, so that no more is approved than was agreed', async () => {
      const account = await funded(3_000n)
      const topUp = await fundingOf(account, 1_000n)
      expect((await collect(legOf(account, 3_000n))).error).toBeUndefined()
      expect((await send(renewed(topUp.transaction), hirer)).error).toMatch(/Custom\(1\)|InsufficientFunds/)
      expect(stateOf(account.address)).toMatchObject({ balance: 0n, allowance: 0n })
    })

    it('survives a donation in between, which it does not approve', async () => {
      const account = await funded(3_000n)
      const topUp = await fundingOf(account, 1_000n)
      await ledger.run(
        [hirer],
        [
          transferChecked(
            { source: hirerTokens, mint: ledger.mint, destination: account.address, amount: 7n, decimals: 9 },
            { owner: hirer.address },
          ),
        ],
      )
      await land(renewed(topUp.transaction), hirer)
      expect(stateOf(account.address)).toMatchObject({ balance: 4_007n, allowance: 4_000n })
    })

    it('of the same state twice approves what each stated, not their sum', async () => {
      const account = await funded(3_000n)
      const [first, second] = [await fundingOf(account, 1_000n), await fundingOf(account, 2_000n)]
      await land(renewed(second.transaction), hirer)
      await land(renewed(first.transaction), hirer)
      expect(stateOf(account.address)).toMatchObject({ balance: 6_000n, allowance: 4_000n })
    })
  })

  describe('a withdrawal', () => {
    it('fails to close after a donation, and then empties the account and leaves it open', async () => {
      const account = await funded(100n)
      const closing = await withdrawalOf(account.address, cred(100n))
      const leaving = await withdrawalOf(account.address, cred(100n), true)
      await ledger.run(
        [hirer],
        [
          transferChecked(
            { source: hirerTokens, mint: ledger.mint, destination: account.address, amount: 1n, decimals: 9 },
            { owner: hirer.address },
          ),
        ],
      )
      expect((await send(renewed(closing.transaction), hirer)).error).toBeDefined()
      await land(renewed(leaving.transaction), hirer)
      expect(stateOf(account.address)).toMatchObject({ balance: 1n, allowance: 0n })
    })

    it('of an empty account only closes it', async () => {
      const account = await funded(100n)
      await collect(legOf(account, 100n))
      await land((await withdrawalOf(account.address, cred(0n))).transaction, hirer)
      expect(ledger.account(account.address)).toBeUndefined()
    })

    it('needs the hirer and nobody else', async () => {
      const account = await funded(100n)
      const { transaction } = await withdrawalOf(account.address, cred(100n))
      expect(decodeTransaction(transaction)?.signatures).toHaveLength(1)
      await land(transaction, hirer)
    })
  })
})
