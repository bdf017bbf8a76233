import { base64 } from '@scure/base'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Signer } from '../../lib/keys/signer.ts'
import { TOKEN_PROGRAMS } from '../../lib/local/chain/svm.ts'
import type { Address } from '../../lib/solana/address.ts'
import { ownTokenAccount } from '../../lib/solana/cred-account.ts'
import { seededTokenAccount } from '../../lib/solana/programs/seeded-account.ts'
import {
  allocateWithSeed,
  assignWithSeed,
  createAccountWithSeed,
  transfer,
} from '../../lib/solana/programs/system.ts'
import { closeAccount, initializeMultisig2, transferChecked } from '../../lib/solana/programs/token.ts'
import { MAX_TRANSACTION_BYTES } from '../../lib/solana/transaction.ts'
import { COMPUTE_UNIT_LIMIT } from '../../lib/transactions/cosigning/envelope.ts'
import { type Escrow, vaultAccount } from '../../lib/vault/addresses.ts'
import { validPosition, vaultState } from '../../lib/vault/chain-state.ts'
import { buildClaim, largestDue, MAX_POSITIONS_PER_CLAIM } from '../../lib/vault/escrow/claim.ts'
import { choosePayoutAccount, type PayoutAccount } from '../../lib/vault/escrow/payout-account.ts'
import { checkSigned } from '../../lib/vault/escrow/signed.ts'
import { buildStack } from '../../lib/vault/escrow/stack.ts'
import { buildUnstack } from '../../lib/vault/escrow/unstack.ts'
import {
  APY_BPS,
  claimableYield,
  claimedYield,
  type LockDays,
  type Position,
  type Terms,
  termYield,
  unlocksAt,
} from '../../lib/vault/rules.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import type { Signing } from '../../schema/values.ts'
import { createSigner, signAsOwner } from '../support/keys.ts'
import { createLedger, FUNDS, type Ledger } from '../support/ledger.ts'

const STAKED_AT = new Date('2026-11-20T10:00:00Z')
const LARGEST = cred(2n ** 53n - 1n)
const OWNER_TOKENS = 2n ** 60n
const TREASURY = 2n ** 60n
const TOKEN_RENT = 165
const MULTISIG_RENT = 355

const randomSeed = () => crypto.randomUUID().replaceAll('-', '')
const termsOf = (amount: Cred, lockDays: LockDays = 365): Terms => ({
  amount,
  lockDays,
  apyBps: APY_BPS[lockDays],
  stakedAt: STAKED_AT,
})
const later = (seconds: number) => new Date(STAKED_AT.getTime() + seconds * 1000)

describe.each(TOKEN_PROGRAMS)('the escrow on %s', (tokenProgram) => {
  let ledger: Ledger
  let authority: Signer
  let recovery: Signer
  let treasury: Address
  let owner: Signer
  let ownerTokens: Address
  let escrow: Escrow
  let vault: Address

  beforeAll(async () => {
    ledger = await createLedger(tokenProgram)
    authority = await createSigner()
    recovery = await createSigner()
    ledger.airdrop(authority.address)
    ledger.airdrop(recovery.address)
  })

  beforeEach(async () => {
    owner = await createSigner()
    ledger.airdrop(owner.address)
    ownerTokens = await ledger.setTokens(owner.address, OWNER_TOKENS)
    treasury = await ledger.setTokens(authority.address, TREASURY)
    const keys = { keyVersion: 1, authority: authority.address, recovery: recovery.address }
    escrow = { owner: owner.address, mint: ledger.mint, keys }
    vault = (await vaultAccount(escrow)).address
  })

  const network = () => ({ blockhash: ledger.blockhash(), computeUnitPrice: 1000n })

  function stackOf(terms: Terms, positionSeed = randomSeed()) {
    const state = vaultState(ledger.account(vault), escrow)
    if (state.kind === 'foreign') throw new Error('the vault belongs to another escrow')
    const rents = { multisig: ledger.rentOf(MULTISIG_RENT), tokenAccount: ledger.rentOf(TOKEN_RENT) }
    const id = crypto.randomUUID()
    const stack = { id, escrow, terms, positionSeed, vault: state, rents, network: network() }
    return buildStack(authority, stack)
  }

  /** Signs as the owner and sends; fails the test when the chain refuses. */
  async function land(transaction: string) {
    const outcome = ledger.send(await signAsOwner(transaction, owner))
    expect(outcome.error).toBeUndefined()
    return outcome
  }

  async function openPosition(terms: Terms): Promise<Address> {
    const built = await stackOf(terms)
    await land(built.transaction)
    return built.position
  }

  const unstackOf = (
    position: Address,
    options: { cosigner?: Signer; balance?: Cred; payout?: PayoutAccount } = {},
  ) =>
    buildUnstack(options.cosigner ?? authority, {
      id: crypto.randomUUID(),
      escrow,
      position,
      balance: options.balance ?? ledger.tokensIn(position),
      payout: options.payout ?? { kind: 'associated' },
      network: network(),
    })

  const claimOf = (
    due: { position: Address; amount: Cred }[],
    payout: PayoutAccount = { kind: 'associated' },
    signing: Signing = 'service_first',
  ) => buildClaim(authority, { id: crypto.randomUUID(), escrow, due, payout, signing, network: network() })

  const onChain = (terms: Terms, position: Address): Position => ({
    ...terms,
    balance: ledger.tokensIn(position),
  })

  const approval = (...signers: Signer[]) => ({
    owner: vault,
    signers: signers.map(({ address }) => address),
  })

  const payingTo = (destination: Address, source: Address, amount: bigint) => ({
    source,
    destination,
    mint: ledger.mint,
    amount,
    decimals: 9,
  })

  describe('the whole cycle', () => {
    it('moves principal and yield to the lamport, and costs what it says', async () => {
      const terms = termsOf(cred(1_234_567_890_123n))
      const wholeYield = termYield(terms)
      const stack = await stackOf(terms)
      const stacked = await land(stack.transaction)
      const rents = ledger.rentOf(MULTISIG_RENT) + ledger.rentOf(TOKEN_RENT)
      expect(ledger.tokensIn(stack.position)).toBe(terms.amount + wholeYield)
      expect(ledger.tokensIn(ownerTokens)).toBe(OWNER_TOKENS - terms.amount)
      expect(ledger.tokensIn(treasury)).toBe(TREASURY - wholeYield)
      expect(ledger.lamportsOf(owner.address)).toBe(FUNDS - rents - stack.fee)
      expect(validPosition(ledger.account(stack.position), { escrow, vault })).toBeDefined()

      const half = later(182.5 * 86_400)
      const due = claimableYield(onChain(terms, stack.position), half)
      const claim = await claimOf([{ position: stack.position, amount: due }])
      const claimed = await land(claim.transaction)
      expect(ledger.tokensIn(ownerTokens)).toBe(OWNER_TOKENS - terms.amount + due)
      expect(claimedYield(onChain(terms, stack.position))).toBe(due)
      expect(claimableYield(onChain(terms, stack.position), half)).toBe(0n)
      expect(claimableYield(onChain(terms, stack.position), unlocksAt(terms))).toBe(wholeYield - due)

      const unstack = await unstackOf(stack.position)
      const unstacked = await land(unstack.transaction)
      expect(ledger.tokensIn(ownerTokens)).toBe(OWNER_TOKENS + wholeYield)
      expect(ledger.account(stack.position)).toBeUndefined()
      const fees = stack.fee + claim.fee + unstack.fee
      expect(ledger.lamportsOf(owner.address)).toBe(FUNDS - ledger.rentOf(MULTISIG_RENT) - fees)
      for (const { units } of [stacked, claimed, unstacked])
        expect(units).toBeLessThan(COMPUTE_UNIT_LIMIT / 2)
    })

    it('pays the same by many small claims as by one at the end', async () => {
      const terms = termsOf(cred(987_654_321n), 7)
      const position = await openPosition(terms)
      for (const seconds of [1, 59, 3_601, 86_399, 250_000, 604_799, 604_800, 9_999_999]) {
        const amount = claimableYield(onChain(terms, position), later(seconds))
        await land((await claimOf([{ position, amount }])).transaction)
      }
      expect(ledger.tokensIn(ownerTokens)).toBe(OWNER_TOKENS - terms.amount + termYield(terms))
      expect(ledger.tokensIn(position)).toBe(terms.amount)
    })

    it('states the terms in a memo that the authority signs', async () => {
      const { transaction } = await stackOf(termsOf(cred(1_500_000_000n)))
      const { logs } = await land(transaction)
      expect(logs.find((line) => line.includes('AgentCred stack'))).toMatch(
        /: 1\.5 CRED for 365 days at 1600 bps from 2026-11-20T10:00:00Z, yield 0\.24 CRED/,
      )
      expect(logs.join('\n')).toContain(authority.address)
    })

    it('keeps the memo of the largest amounts within a first stack of 1,232 bytes', async () => {
      const first = await stackOf(termsOf(LARGEST))
      await land(first.transaction)
      const second = await stackOf(termsOf(LARGEST))
      await land(second.transaction)
      const [firstSize, secondSize] = [first, second].map(
        ({ transaction }) => base64.decode(transaction).length,
      )
      expect(firstSize).toBe(1164)
      expect(secondSize).toBe(869)
    })

    it.each(['associated', 'fresh'] as const)(
      'leaves 200 bytes for a wallet’s additions, with as many claims as fit %s',
      async (kind) => {
        const most = MAX_POSITIONS_PER_CLAIM.wallet_first[kind]
        const opened: Address[] = []
        for (let index = 0; index <= most; index += 1) opened.push(await openPosition(termsOf(LARGEST)))
        const due = opened.map((position) => ({ position, amount: termYield(termsOf(LARGEST)) }))
        const payout = kind === 'fresh' ? { kind, ...freshAccount() } : { kind }
        await expect(claimOf(due, payout, 'wallet_first')).rejects.toThrow(RangeError)
        const chosen = largestDue(due, payout, 'wallet_first')
        const { transaction } = await claimOf(chosen, payout, 'wallet_first')
        const size = base64.decode(transaction).length
        expect(size).toBeLessThanOrEqual(1_032)
        expect(size).toBeGreaterThan(1_032 - 52)
        await expect(land(transaction)).rejects.toThrow()
      },
    )

    it.each(['associated', 'fresh'] as const)(
      'claims from as many positions as fit, paid into its %s account',
      async (kind) => {
        const most = MAX_POSITIONS_PER_CLAIM.service_first[kind]
        const opened: Address[] = []
        for (let index = 0; index <= most; index += 1) opened.push(await openPosition(termsOf(LARGEST)))
        await emptyAndCloseOwnerTokens()
        const due = opened.map((position) => ({ position, amount: termYield(termsOf(LARGEST)) }))
        const payout = kind === 'fresh' ? { kind, ...freshAccount() } : { kind }
        await expect(claimOf(due, payout)).rejects.toThrow(RangeError)
        const claim = await claimOf(largestDue(due, payout, 'service_first'), payout)
        const size = base64.decode(claim.transaction).length
        expect(size).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES)
        expect(size).toBeGreaterThan(MAX_TRANSACTION_BYTES - 52)
        const { units } = await land(claim.transaction)
        expect(units).toBeLessThan(COMPUTE_UNIT_LIMIT * 0.6)
        expect(opened.map((position) => ledger.tokensIn(position))).toEqual([
          ...Array(most).fill(LARGEST),
          LARGEST + termYield(termsOf(LARGEST)),
        ])
      },
    )
  })

  const freshAccount = () => ({ seed: randomSeed(), rent: ledger.rentOf(TOKEN_RENT) })

  async function emptyAndCloseOwnerTokens() {
    await ledger.setTokens(owner.address, 0n)
    const outcome = await ledger.run([owner], [closeEmptied(ownerTokens)])
    expect(outcome.error).toBeUndefined()
  }

  const closeEmptied = (account: Address) => closeAccount(account, owner.address, { owner: owner.address })

  describe('the signers that can move a position', () => {
    let position: Address
    beforeEach(async () => {
      position = await openPosition(termsOf(cred(5_000_000_000n)))
    })

    const attempt = (feePayer: Signer, signers: Signer[]) =>
      ledger.run(
        [feePayer, ...signers.filter((signer) => signer !== feePayer)],
        [transferChecked(payingTo(ownerTokens, position, 1n), approval(...signers))],
      )

    it.each([
      ['the owner alone', () => [owner]],
      ['the owner named twice', () => [owner, owner]],
      ['the authority alone', () => [authority]],
      ['the recovery key alone', () => [recovery]],
      ['authority and recovery', () => [authority, recovery]],
      ['authority twice and recovery twice', () => [authority, authority, recovery, recovery]],
    ])('refuses %s', async (_, signers) => {
      const [feePayer = owner] = signers()
      expect((await attempt(feePayer, signers())).error).toBe('InstructionError(0, MissingRequiredSignature)')
    })

    it.each([
      ['owner and authority', () => [owner, authority]],
      ['owner and recovery', () => [owner, recovery]],
      ['all three', () => [owner, authority, recovery]],
    ])('lets %s', async (_, signers) => {
      expect((await attempt(owner, signers())).error).toBeUndefined()
    })

    it('does not let the authority pass with a signature of another owner', async () => {
      const stranger = await createSigner()
      ledger.airdrop(stranger.address)
      const outcome = await attempt(stranger, [stranger, authority])
      expect(outcome.error).toBe('InstructionError(0, MissingRequiredSignature)')
    })

    it('lets the owner leave with the recovery key when the service is gone', async () => {
      const before = ledger.tokensIn(ownerTokens)
      const balance = ledger.tokensIn(position)
      await land((await unstackOf(position, { cosigner: recovery })).transaction)
      expect(ledger.tokensIn(ownerTokens)).toBe(before + balance)
    })

    it('builds nothing for a cosigner outside the vault', async () => {
      const stranger = await createSigner()
      await expect(unstackOf(position, { cosigner: stranger })).rejects.toThrow(TypeError)
    })
  })

  describe('accounts that others made before', () => {
    it.each([1n, 5_000_000n])('opens a vault that a stranger sent %d lamports', async (donation) => {
      const stranger = await createSigner()
      ledger.airdrop(stranger.address)
      const rent = ledger.rentOf(MULTISIG_RENT)
      // A chain refuses to leave an account below its rent exemption; one lamport is set, not sent.
      if (donation >= ledger.rentOf(0))
        await ledger.run([stranger], [transfer(stranger.address, vault, donation)])
      else ledger.setLamports(vault, donation)
      expect(vaultState(ledger.account(vault), escrow)).toEqual({ kind: 'absent', lamports: donation })
      await openPosition(termsOf(cred(7_000n)))
      expect(vaultState(ledger.account(vault), escrow)).toEqual({ kind: 'open' })
      expect(ledger.lamportsOf(vault)).toBe(donation > rent ? donation : rent)
    })

    it('still lands when a stranger funds the vault between building and sending', async () => {
      const built = await stackOf(termsOf(cred(7_000n)))
      ledger.airdrop(vault, 1_000_000n)
      await land(built.transaction)
      expect(vaultState(ledger.account(vault), escrow)).toEqual({ kind: 'open' })
    })

    it('distinguishes other signers, a half-made vault and another account from the real', async () => {
      expect(vaultState(undefined, escrow)).toEqual({ kind: 'absent', lamports: 0n })
      const seeded = await vaultAccount(escrow)
      const rent = ledger.rentOf(MULTISIG_RENT)
      const half = [transfer(owner.address, vault, rent), allocateWithSeed(seeded, 355n)]
      await ledger.run([owner], half)
      expect(vaultState(ledger.account(vault), escrow)).toEqual({ kind: 'foreign' })
      await ledger.run([owner], [assignWithSeed(seeded)])
      expect(vaultState(ledger.account(vault), escrow)).toEqual({ kind: 'foreign' })
      const signers = [owner.address, owner.address, owner.address, authority.address]
      await ledger.run([owner], [initializeMultisig2(vault, 3, signers)])
      expect(vaultState(ledger.account(vault), escrow)).toEqual({ kind: 'foreign' })
      expect(vaultState(ledger.account(ownerTokens), escrow)).toEqual({ kind: 'foreign' })
    })

    it('fails as a whole when the position exists already, and works with another seed', async () => {
      const seed = randomSeed()
      const account = await seededTokenAccount(owner.address, seed)
      const built = await stackOf(termsOf(cred(9_000n)), seed)
      await ledger.run([owner], [createAccountWithSeed(account, ledger.rentOf(TOKEN_RENT), 165n)])
      const rebuilt = await stackOf(termsOf(cred(9_000n)), seed)
      expect(ledger.send(await signAsOwner(rebuilt.transaction, owner)).error).toBe(
        'InstructionError(6, Custom(0))',
      )
      expect(built.position).toBe(rebuilt.position)
      expect(ledger.account(vault)).toBeUndefined()
      expect([ledger.tokensIn(ownerTokens), ledger.tokensIn(treasury)]).toEqual([OWNER_TOKENS, TREASURY])
      await openPosition(termsOf(cred(9_000n)))
    })

    it('moves nothing when the owner or the treasury is short', async () => {
      const broke = await createSigner()
      ledger.airdrop(broke.address)
      await ledger.setTokens(owner.address, 8_999n)
      const short = await stackOf(termsOf(cred(9_000n)))
      expect(ledger.send(await signAsOwner(short.transaction, owner)).error).toBe(
        'InstructionError(8, Custom(1))',
      )
      await ledger.setTokens(owner.address, OWNER_TOKENS)
      await ledger.setTokens(authority.address, 0n)
      const unfunded = await stackOf(termsOf(cred(9_000n)))
      expect(ledger.send(await signAsOwner(unfunded.transaction, owner)).error).toBe(
        'InstructionError(9, Custom(1))',
      )
      expect(ledger.tokensIn(ownerTokens)).toBe(OWNER_TOKENS)
    })

    it('pays into an associated account that was closed', async () => {
      const position = await openPosition(termsOf(cred(10n ** 15n)))
      await emptyAndCloseOwnerTokens()
      expect(ledger.account(ownerTokens)).toBeUndefined()
      const payout = choosePayoutAccount(undefined, escrow, {
        seed: randomSeed(),
        rent: ledger.rentOf(TOKEN_RENT),
      })
      await land((await unstackOf(position, { payout })).transaction)
      expect(ledger.tokensIn(ownerTokens)).toBe(10n ** 15n + termYield(termsOf(cred(10n ** 15n))))
    })

    it('pays past an associated account that was handed to someone else', async () => {
      const terms = termsOf(cred(9_000_000n))
      const position = await openPosition(terms)
      const thief = await createSigner()
      await ledger.setTokens(owner.address, 0n, thief.address)
      expect(ownTokenAccount(ledger.account(ownerTokens), escrow)).toBeUndefined()
      const refused = await claimOf([{ position, amount: cred(5n) }])
      expect(ledger.send(await signAsOwner(refused.transaction, owner)).error).toBe(
        'InstructionError(2, Custom(0))',
      )

      const [forClaim, forUnstack] = [freshAccount(), freshAccount()]
      const claim = choosePayoutAccount(ledger.account(ownerTokens), escrow, forClaim)
      await land((await claimOf([{ position, amount: cred(5n) }], claim)).transaction)
      const claimed = (await seededTokenAccount(owner.address, forClaim.seed)).address
      expect(ownTokenAccount(ledger.account(claimed), escrow)?.amount).toBe(5n)
      const unstack = choosePayoutAccount(ledger.account(ownerTokens), escrow, forUnstack)
      await land((await unstackOf(position, { payout: unstack })).transaction)
      const unstacked = (await seededTokenAccount(owner.address, forUnstack.seed)).address
      expect(ledger.tokensIn(unstacked)).toBe(terms.amount + termYield(terms) - 5n)
      expect(ledger.tokensIn(ownerTokens)).toBe(0n)
    })

    it('counts a donation as less claimed and nothing else', async () => {
      const terms = termsOf(cred(900_000_000n))
      const position = await openPosition(terms)
      await land((await claimOf([{ position, amount: cred(1_000n) }])).transaction)
      const before = onChain(terms, position)
      await ledger.run(
        [owner],
        [transferChecked(payingTo(position, ownerTokens, 400n), { owner: owner.address })],
      )
      const after = onChain(terms, position)
      expect(claimedYield(before)).toBe(1_000n)
      expect(claimedYield(after)).toBe(600n)
      expect(after).toEqual({ ...before, balance: before.balance + 400n })
      expect(validPosition(ledger.account(position), { escrow, vault })).toBeDefined()
      await land((await unstackOf(position)).transaction)
    })

    it('refuses an unstack when a donation changed the balance; a rebuilt one pays both', async () => {
      const position = await openPosition(termsOf(cred(900_000n)))
      const balance = ledger.tokensIn(position)
      await ledger.run(
        [owner],
        [transferChecked(payingTo(position, ownerTokens, 1n), { owner: owner.address })],
      )
      const outdated = await unstackOf(position, { balance })
      expect(ledger.send(await signAsOwner(outdated.transaction, owner)).error).toBe(
        'InstructionError(4, Custom(11))',
      )
      const before = ledger.tokensIn(ownerTokens)
      await land((await unstackOf(position)).transaction)
      expect(ledger.tokensIn(ownerTokens)).toBe(before + balance + 1n)
    })
  })

  describe('transactions that land once', () => {
    it('refuses a second unstack of a position', async () => {
      const position = await openPosition(termsOf(cred(50_000n)))
      const balance = ledger.tokensIn(position)
      await land((await unstackOf(position)).transaction)
      const second = await unstackOf(position, { balance })
      expect(ledger.send(await signAsOwner(second.transaction, owner)).error).toMatch(
        /^InstructionError\(3, /,
      )
    })

    it('refuses a claim after the unstack, and an unstack after a claim', async () => {
      const position = await openPosition(termsOf(cred(50_000n)))
      const balance = ledger.tokensIn(position)
      await land((await claimOf([{ position, amount: cred(3n) }])).transaction)
      const outdated = await unstackOf(position, { balance })
      expect(ledger.send(await signAsOwner(outdated.transaction, owner)).error).toBe(
        'InstructionError(3, Custom(1))',
      )
      await land((await unstackOf(position)).transaction)
      const late = await claimOf([{ position, amount: cred(3n) }])
      expect(ledger.send(await signAsOwner(late.transaction, owner)).error).toMatch(/^InstructionError\(3, /)
    })

    it('opens one vault when two first stacks race', async () => {
      const [one, other] = [await stackOf(termsOf(cred(10n))), await stackOf(termsOf(cred(20n)))]
      const states = [other, one].map(async ({ transaction }) =>
        ledger.send(await signAsOwner(transaction, owner)),
      )
      const [landed, late] = await Promise.all(states)
      expect(landed?.error).toBeUndefined()
      expect(late?.error).toBeDefined()
    })
  })

  describe('a transaction sent back', () => {
    it('is refused by the chain and by the check when any byte of its message changes', async () => {
      const { transaction } = await stackOf(termsOf(cred(123_456_789n)))
      const bytes = base64.decode(transaction)
      for (let offset = 129; offset < bytes.length; offset += 53) {
        const altered = Uint8Array.from(bytes, (byte, index) => (index === offset ? byte ^ 1 : byte))
        const signed = await resigned(altered)
        expect(await checkSigned(transaction, signed)).toMatchObject({ ok: false })
        expect(refusedByChain(signed)).toBe(true)
      }
      expect(await checkSigned(transaction, await signAsOwner(transaction, owner))).toMatchObject({
        ok: true,
      })
      await land(transaction)
    })

    /** The owner's true signature of the altered message, in the first slot. */
    async function resigned(bytes: Uint8Array): Promise<string> {
      const signature = await owner.sign(new Uint8Array(bytes.subarray(129)))
      return base64.encode(Uint8Array.from(bytes, (byte, index) => signature[index - 1] ?? byte))
    }

    function refusedByChain(transaction: string): boolean {
      try {
        return ledger.send(transaction).error !== undefined
      } catch {
        // Not even a transaction any more.
        return true
      }
    }
  })
})
