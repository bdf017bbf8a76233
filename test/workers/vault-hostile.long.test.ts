import { Keypair, PublicKey, SystemInstruction, SystemProgram, Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { concat, u64 } from '../../lib/keys/bytes.ts'
import { importSigner } from '../../lib/keys/signer.ts'
import { type Address, addressBytes, parseAddress } from '../../lib/solana/address.ts'
import { type Instruction, readonly, signer, writable } from '../../lib/solana/instruction.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { createAccountWithSeed } from '../../lib/solana/programs/system.ts'
import {
  closeAccount,
  initializeMultisig2,
  MULTISIG_BYTES,
  transferChecked,
} from '../../lib/solana/programs/token.ts'
import { decodeTransaction, encodeTransaction } from '../../lib/solana/transaction.ts'
import { type Escrow, vaultAccount } from '../../lib/vault/addresses.ts'
import { buildUnstack } from '../../lib/vault/escrow/unstack.ts'
import { cred } from '../../schema/amounts.ts'
import {
  addressOf,
  credIn,
  donate,
  fateOf,
  LEAST_LAMPORTS,
  LIFETIME_MS,
  mintOf,
  ownerTokensOf,
  perform,
  positionsIn,
  positionsOf,
  rowsOf,
} from '../support/chain.ts'
import { signAsOwner } from '../support/keys.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import {
  balanceOf,
  connectionOf,
  createStaker,
  DAY,
  giveCred,
  keypairOf,
  ONE,
  type Staker,
  travel,
} from '../support/staker.ts'

const STAKE = 100n * BigInt(ONE)
const TREASURY = 1_000_000_000n * BigInt(ONE)

let service: Service
let authority: Keypair
let recovery: Keypair
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
  authority = keypairOf(service.solana.keys.authority)
  recovery = keypairOf(service.solana.keys.recovery)
  await connectionOf(service).requestAirdrop(recovery.publicKey, 10 * ONE)
})
afterAll(() => service.stop())

/** floor(100e9 · 800 · seconds / (10000 · 365 days)) */
const yieldOver = (seconds: bigint) => (STAKE * 800n * seconds) / (10_000n * 365n * 86_400n)
const WEEK_YIELD = yieldOver(7n * 86_400n)

const escrowOf = (staker: Staker): Escrow => ({
  owner: parseAddress(staker.owner),
  mint: mintOf(service),
  keys: { keyVersion: 1, authority: addressOf(authority), recovery: addressOf(recovery) },
})
const vaultOf = (staker: Staker) => vaultAccount(escrowOf(staker))

/** A staker whose 100 CRED are all locked for seven days. */
async function createHolder() {
  const staker = await createStaker(service, STAKE)
  const stack = await staker.stack(Number(STAKE), 7)
  expect((await staker.relay(stack)).status).toBe(200)
  const [shown] = await positionsOf(staker)
  const position = parseAddress(String(shown?.address))
  return { staker, stack, position, vault: (await vaultOf(staker)).address, shown }
}

const later = async (staker: Staker, ms: number) => {
  await travel(service, ms)
  await staker.signInAgain()
}

/** What a built transaction would pay. */
async function amountOf(built: Answer): Promise<bigint> {
  const [row] = await rowsOf(
    service,
    'select sum(amount) from vault_intent_legs where intent_id = $1',
    String(built.body.id),
  )
  return BigInt(row?.[0] ?? 0)
}

/** The yield of 100 CRED at the time in a claim's id (a UUIDv7), at which it was built. */
function accruedAt(built: Answer, shown: Body | undefined): bigint {
  const builtAt = Number.parseInt(String(built.body.id).replaceAll('-', '').slice(0, 12), 16)
  const seconds = BigInt(Math.floor((builtAt - Date.parse(String(shown?.stakedAt))) / 1000))
  return yieldOver(seconds < 7n * 86_400n ? seconds : 7n * 86_400n)
}

const setOwner = (account: Address, owner: Address, to: Address, signers: Address[] = []): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [
    writable(account),
    ...(signers.length > 0 ? [readonly(owner), ...signers.map(signer)] : [signer(owner)]),
  ],
  // SetAuthority, AccountOwner, to somebody.
  data: concat([6, 2, 1], addressBytes(to)),
})

describe('a position', () => {
  const UNAUTHORIZED = /missing required signature/
  /** The program checks the balance before the signers. */
  const NOT_EMPTY = /can only be closed if its balance is zero/

  /** All that a key could try on a position in order to get at its tokens, and why the program refuses it. */
  const attempts = (
    position: Address,
    vault: Address,
    thief: Address,
    ownerTokens: Address,
    signers: Address[],
  ): [Instruction, RegExp][] => {
    const approval = { owner: vault, signers }
    const transfer = {
      source: position,
      mint: mintOf(service),
      destination: ownerTokens,
      amount: 1n,
      decimals: 9,
    }
    return [
      [transferChecked(transfer, approval), UNAUTHORIZED],
      [closeAccount(position, thief, approval), NOT_EMPTY],
      [setOwner(position, vault, thief, signers), UNAUTHORIZED],
      [
        {
          program: TOKEN_PROGRAM,
          accounts: [writable(position), readonly(thief), readonly(vault), ...signers.map(signer)],
          // Approve
          data: concat([4], u64(1n)),
        },
        UNAUTHORIZED,
      ],
    ]
  }

  it.each<[string, (owner: Keypair) => Keypair[]]>([
    ['its owner alone', (owner) => [owner]],
    ['its owner, named three times', (owner) => [owner, owner, owner]],
    ['the authority alone', () => [authority]],
    ['the recovery key alone', () => [recovery]],
    ['authority with recovery', () => [authority, recovery]],
    ['authority with recovery, each named twice', () => [authority, authority, recovery, recovery]],
  ])('is not moved by %s, locked or not', async (_, who) => {
    const { staker, position, vault } = await createHolder()
    const thief = await createStaker(service, 1)
    const ownerTokens = await ownerTokensOf(service, thief.owner)
    const keys = who(staker.keypair)
    for (const unlocked of [false, true]) {
      if (unlocked) await travel(service, 8 * DAY)
      const named = keys.map(addressOf)
      for (const [attempt, reason] of attempts(
        position,
        vault,
        parseAddress(thief.owner),
        ownerTokens,
        named,
      )) {
        await expect(perform(service, keys, [attempt])).rejects.toThrow(reason)
      }
    }
    expect(await credIn(service, position)).toBe(STAKE + WEEK_YIELD)
  })

  it('is not moved by the authority together with another owner', async () => {
    const { position, vault } = await createHolder()
    const thief = await createStaker(service, 1)
    const ownerTokens = await ownerTokensOf(service, thief.owner)
    const named = [parseAddress(thief.owner), addressOf(authority)]
    for (const [attempt, reason] of attempts(
      position,
      vault,
      parseAddress(thief.owner),
      ownerTokens,
      named,
    )) {
      await expect(perform(service, [thief.keypair, authority], [attempt])).rejects.toThrow(reason)
    }
  })

  it('is not moved by its owner with the key from which its address is derived', async () => {
    const { staker, stack, position } = await createHolder()
    const { instructions } = Transaction.from(Buffer.from(String(stack.body.transaction), 'base64'))
    const [creation] = instructions.filter(
      (one) =>
        one.programId.equals(SystemProgram.programId) &&
        SystemInstruction.decodeInstructionType(one) === 'CreateWithSeed',
    )
    if (!creation) throw new Error('the stack creates no account')
    const { seed, newAccountPubkey, programId } = SystemInstruction.decodeCreateWithSeed(creation)
    expect(newAccountPubkey.toBase58()).toBe(position)
    const base = { basePubkey: staker.keypair.publicKey, seed, programId }
    const before = await connectionOf(service).getAccountInfo(newAccountPubkey)
    // To hand the account to the program that has it already is no error, and changes nothing.
    await perform(
      service,
      [staker.keypair],
      [SystemProgram.assign({ accountPubkey: newAccountPubkey, ...base })],
    )
    for (const attempt of [
      SystemProgram.allocate({ accountPubkey: newAccountPubkey, space: 165, ...base }),
      SystemProgram.transfer({
        fromPubkey: newAccountPubkey,
        toPubkey: staker.keypair.publicKey,
        lamports: 1,
        ...base,
      }),
    ]) {
      await expect(perform(service, [staker.keypair], [attempt])).rejects.toThrow(/simulation failed/i)
    }
    expect(await connectionOf(service).getAccountInfo(newAccountPubkey)).toEqual(before)
  })

  it('is withdrawn by its owner with the recovery key, without the service', async () => {
    const { staker, position } = await createHolder()
    await service.withRpcFault(
      () => new Response(null, { status: 500 }),
      async () => {
        const cosigner = await importSigner(recovery.secretKey)
        const owner = await importSigner(staker.keypair.secretKey)
        const { blockhash } = await connectionOf(service).getLatestBlockhash()
        const { transaction } = await buildUnstack(cosigner, {
          id: crypto.randomUUID(),
          escrow: escrowOf(staker),
          position,
          balance: cred(STAKE + WEEK_YIELD),
          payout: { kind: 'associated' },
          network: { blockhash, computeUnitPrice: 1000n },
        })
        const signed = await signAsOwner(transaction, owner)
        await connectionOf(service).sendRawTransaction(Buffer.from(signed, 'base64'))
      },
    )
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD)
    expect(await balanceOf(service, position)).toBeUndefined()
    // Asked for it once more, the service has a clear answer and pays nothing.
    await later(staker, 8 * DAY)
    expect((await staker.unstack(0)).body).toMatchObject({ status: 409, code: 'position_not_intact' })
    // Having seen that, it no longer shows the position.
    expect((await staker.claim(0)).body).toMatchObject({ status: 400, code: 'position_not_found' })
    expect((await staker.vault()).body).toMatchObject({ positions: [], balances: { cred: 0 } })
  })
})

describe('a transaction with altered bytes', () => {
  it('is refused by the chain and by the relay, though its owner signed what it became', async () => {
    const { staker } = await createHolder()
    await later(staker, 8 * DAY)
    const built = await staker.unstack(0)
    const owner = await importSigner(staker.keypair.secretKey)
    const original = decodeTransaction(String(built.body.transaction))
    const [, cosignature] = original?.signatures ?? []
    if (!original || !cosignature) throw new Error('no transaction')
    const send = (transaction: string) =>
      connectionOf(service).sendRawTransaction(Buffer.from(transaction, 'base64'))
    const relay = (transaction: string) =>
      staker.call('POST', '/vault/transactions', { body: { id: built.body.id, transaction } })
    // Byte 0 counts the signatures: altered, it is no transaction at all.
    for (let offset = 1; offset < original.message.length; offset += 9) {
      const message = original.message.slice()
      message[offset] = (message[offset] ?? 0) ^ 1
      const transaction = encodeTransaction({ signatures: [await owner.sign(message), cosignature], message })
      await expect(send(transaction)).rejects.toThrow()
      if (offset % 5 === 0) {
        expect((await relay(transaction)).body).toMatchObject({ status: 400, code: 'transaction_not_ours' })
      }
    }
    const signature = await owner.sign(original.message)
    const flipped = (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, i) => (i === 5 ? byte ^ 1 : byte))
    for (const signatures of [
      [new Uint8Array(64), cosignature],
      [flipped(signature), cosignature],
      [signature, flipped(cosignature)],
      [signature, new Uint8Array(64)],
      [cosignature, signature],
    ]) {
      const transaction = encodeTransaction({ signatures, message: original.message })
      await expect(send(transaction)).rejects.toThrow(/signature verification/i)
      expect((await relay(transaction)).body).toMatchObject({ status: 400, code: 'transaction_not_ours' })
    }
    expect(await staker.cred()).toBe(0n)
    expect((await relay(staker.sign(built))).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD)
  })
})

describe('the relay', () => {
  it('refuses what the service did not build, and what it built for someone else', async () => {
    const [one, other] = [await createStaker(service), await createStaker(service)]
    const [built, others] = [await one.stack(ONE), await other.stack(ONE)]
    const relay = (id: unknown, transaction: string) =>
      one.call('POST', '/vault/transactions', { body: { id, transaction } })

    // Another owner's, however well it is signed, is as unknown as one that was never built.
    for (const id of [others.body.id, crypto.randomUUID()]) {
      expect((await relay(id, other.sign(others))).body).toMatchObject({
        status: 404,
        code: 'transaction_not_found',
      })
    }
    const { blockhash } = await connectionOf(service).getLatestBlockhash()
    const own = new Transaction({
      feePayer: one.keypair.publicKey,
      blockhash,
      lastValidBlockHeight: 1_000_000,
    }).add(
      SystemProgram.transfer({
        fromPubkey: one.keypair.publicKey,
        toPubkey: other.keypair.publicKey,
        lamports: LEAST_LAMPORTS,
      }),
    )
    own.sign(one.keypair)
    for (const transaction of [
      own.serialize().toString('base64'),
      other.sign(others),
      String(built.body.transaction),
      one.sign(await one.stack(ONE)),
      '',
      'AA==',
      'not base64',
      'A'.repeat(4_000),
    ]) {
      expect((await relay(built.body.id, transaction)).body).toMatchObject({
        status: 400,
        code: 'transaction_not_ours',
      })
    }
    expect(await one.cred()).toBe(1000n * BigInt(ONE))
    expect(
      (
        await service.call('POST', '/vault/transactions', {
          body: { id: built.body.id, transaction: one.sign(built) },
        })
      ).status,
    ).toBe(401)
  })
})

describe('the vault’s address', () => {
  it.each([LEAST_LAMPORTS, 3_361_680, 50_000_000])(
    'may have been sent %d lamports by a stranger',
    async (lamports) => {
      const staker = await createStaker(service, STAKE)
      const { address } = await vaultOf(staker)
      await connectionOf(service).requestAirdrop(new PublicKey(address), lamports)
      const rent = await connectionOf(service).getMinimumBalanceForRentExemption(MULTISIG_BYTES)
      const built = await staker.stack(Number(STAKE), 7)
      expect(built.body.quote).toMatchObject({ vaultRent: Math.max(0, rent - lamports) })
      const before = await connectionOf(service).getBalance(staker.keypair.publicKey)
      expect((await staker.relay(built)).status).toBe(200)
      const { networkFee, positionRent, vaultRent } = built.body.quote as Record<string, number>
      const paid = Number(networkFee) + Number(positionRent) + Number(vaultRent)
      expect(await connectionOf(service).getBalance(staker.keypair.publicKey)).toBe(before - paid)
      const vault = await staker.vault()
      expect(vault.body).toMatchObject({ vaultPda: address, balances: { cred: Number(STAKE) } })
    },
  )

  it('may be sent lamports between building and sending', async () => {
    const staker = await createStaker(service, STAKE)
    const built = await staker.stack(Number(STAKE), 7)
    await connectionOf(service).requestAirdrop(new PublicKey((await vaultOf(staker)).address), LEAST_LAMPORTS)
    expect((await staker.relay(built)).status).toBe(200)
    expect(await positionsOf(staker)).toHaveLength(1)
  })

  it.each<[string, (owner: Address, other: Address) => [number, Address[]]]>([
    ['its owner alone', (owner) => [1, [owner]]],
    ['two of owner and a friend', (owner, other) => [2, [owner, other]]],
    [
      'the right signers but one too few',
      (owner) => [2, [owner, owner, addressOf(authority), addressOf(recovery)]],
    ],
    [
      'the right signers in another order',
      (owner) => [3, [owner, addressOf(authority), owner, addressOf(recovery)]],
    ],
  ])('of %s is refused, and nothing is moved', async (_, signersOf) => {
    const staker = await createStaker(service, STAKE)
    const prepared = await staker.stack(Number(STAKE), 7)
    const vault = await vaultOf(staker)
    const rent = await connectionOf(service).getMinimumBalanceForRentExemption(MULTISIG_BYTES)
    const [required, signers] = signersOf(parseAddress(staker.owner), addressOf(Keypair.generate()))
    await perform(
      service,
      [staker.keypair],
      [
        createAccountWithSeed(vault, BigInt(rent), BigInt(MULTISIG_BYTES)),
        initializeMultisig2(vault.address, required, signers),
      ],
    )
    expect((await staker.stack(Number(STAKE), 7)).body).toMatchObject({ status: 409, code: 'vault_occupied' })
    expect((await staker.relay(prepared)).body).toMatchObject({ status: 409, code: 'transaction_failed' })
    expect(await staker.cred()).toBe(STAKE)
  })
})

describe('a position’s address', () => {
  it('is never the same twice', async () => {
    const staker = await createStaker(service)
    const built = await Promise.all(Array.from({ length: 5 }, () => staker.stack(ONE)))
    const addresses = await Promise.all(built.map((one) => positionsIn(service, one)))
    expect(new Set(addresses.flat()).size).toBe(5)
  })

  it('that received lamports before fails the whole stack, and a rebuilt one works', async () => {
    const staker = await createStaker(service, STAKE)
    const built = await staker.stack(Number(STAKE), 7)
    const [address = ''] = await positionsIn(service, built)
    await connectionOf(service).requestAirdrop(new PublicKey(address), LEAST_LAMPORTS)
    expect((await staker.relay(built)).body).toMatchObject({ status: 409, code: 'transaction_failed' })
    await expect(staker.send(built)).rejects.toThrow(/already in use|custom program error: 0x0/)
    expect(await staker.cred()).toBe(STAKE)
    expect(await balanceOf(service, (await vaultOf(staker)).address)).toBeUndefined()
    expect((await staker.relay(await staker.stack(Number(STAKE), 7))).status).toBe(200)
    expect(await positionsOf(staker)).toMatchObject([{ id: 0, amount: Number(STAKE) }])
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, built)).toMatchObject({ status: 'expired' })
  })
})

describe('the owner’s own token account', () => {
  it('may be closed: claim and unstack open it again', async () => {
    const { staker, shown } = await createHolder()
    const ownerTokens = await ownerTokensOf(service, staker.owner)
    const close = () =>
      perform(
        service,
        [staker.keypair],
        [closeAccount(ownerTokens, parseAddress(staker.owner), { owner: parseAddress(staker.owner) })],
      )
    await close()
    await later(staker, DAY)
    const claim = await staker.claim(0)
    expect((await staker.relay(claim)).status).toBe(200)
    const paid = accruedAt(claim, shown)
    expect(await credIn(service, ownerTokens)).toBe(paid)
    // Given away and closed again.
    const friend = await createStaker(service, 1)
    await donate(service, staker, await ownerTokensOf(service, friend.owner), paid)
    await close()
    await later(staker, 8 * DAY)
    expect((await staker.relay(await staker.unstack(0))).status).toBe(200)
    expect(await credIn(service, ownerTokens)).toBe(STAKE + WEEK_YIELD - paid)
  })

  it('handed to a stranger gets nothing: payouts go to a new account of the owner', async () => {
    const { staker, shown } = await createHolder()
    const owner = parseAddress(staker.owner)
    const ownerTokens = await ownerTokensOf(service, staker.owner)
    await perform(service, [staker.keypair], [setOwner(ownerTokens, owner, addressOf(Keypair.generate()))])
    await later(staker, DAY)
    const claim = await staker.claim(0)
    expect((await staker.relay(claim)).status).toBe(200)
    expect(await staker.cred()).toBe(accruedAt(claim, shown))
    await later(staker, 8 * DAY)
    expect((await staker.relay(await staker.unstack(0))).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD)
    expect(await credIn(service, ownerTokens)).toBe(0n)
    expect(await positionsOf(staker)).toEqual([])
  })

  it('handed to a stranger after building fails the payout; a rebuilt one works', async () => {
    const { staker } = await createHolder()
    await later(staker, 8 * DAY)
    const [claim, unstack] = [await staker.claim(0), await staker.unstack(0)]
    const ownerTokens = await ownerTokensOf(service, staker.owner)
    const stranger = addressOf(Keypair.generate())
    await perform(service, [staker.keypair], [setOwner(ownerTokens, parseAddress(staker.owner), stranger)])
    for (const built of [claim, unstack]) {
      expect((await staker.relay(built)).body).toMatchObject({ status: 409, code: 'transaction_failed' })
    }
    // The open claim is the answer until it can't land any more.
    expect((await staker.claim(0)).body.id).toBe(claim.body.id)
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, claim)).toMatchObject({ status: 'expired' })
    expect((await staker.relay(await staker.claim(0))).status).toBe(200)
    expect(await staker.cred()).toBe(WEEK_YIELD)
    expect((await staker.relay(await staker.unstack(0))).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD)
    expect(await credIn(service, ownerTokens)).toBe(0n)
  })
})

describe('a donation to a position', () => {
  const DONATION = 5n * BigInt(ONE)

  it('changes no claim, and is the owner’s at the withdrawal', async () => {
    const { staker, position, shown } = await createHolder()
    const donor = await createStaker(service)
    await donate(service, donor, position, DONATION)
    let claimed = 0n
    for (const _ of [1, 2, 3]) {
      await later(staker, 2 * DAY)
      const claim = await staker.claim(0)
      expect(await amountOf(claim)).toBe(accruedAt(claim, shown) - claimed)
      claimed = accruedAt(claim, shown)
      expect((await staker.relay(claim)).status).toBe(200)
      expect(await positionsOf(staker)).toMatchObject([
        { claimed: Number(claimed), escrowed: Number(STAKE + WEEK_YIELD + DONATION - claimed) },
      ])
      expect(await staker.cred()).toBe(claimed)
    }
    await later(staker, 2 * DAY)
    expect((await staker.relay(await staker.unstack(0))).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD + DONATION)
    expect(await positionsOf(staker)).toEqual([])
  })

  it('fails the unstack that was built before it, and a rebuilt one pays it out, too', async () => {
    const { staker, position } = await createHolder()
    const donor = await createStaker(service)
    await later(staker, 8 * DAY)
    const early = await staker.unstack(0)
    await donate(service, donor, position, 1n)
    expect((await staker.relay(early)).body).toMatchObject({ status: 409, code: 'transaction_failed' })
    expect(await credIn(service, position)).toBe(STAKE + WEEK_YIELD + 1n)
    const rebuilt = await staker.unstack(0)
    expect((await staker.relay(rebuilt)).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD + 1n)
    expect(await fateOf(service, staker, rebuilt)).toMatchObject({ status: 'landed' })
  })

  it.each([1n, 1_000_000n])(
    'of %d between a claim’s building and its settlement does not hide the payout',
    async (donation) => {
      const { staker, position, shown } = await createHolder()
      const donor = await createStaker(service)
      await later(staker, DAY)
      const claim = await staker.claim(0)
      const paid = accruedAt(claim, shown)
      expect((await staker.relay(claim)).status).toBe(200)
      await donate(service, donor, position, donation)
      await travel(service, LIFETIME_MS)
      expect(await fateOf(service, staker, claim)).toMatchObject({ status: 'landed' })
      expect(await positionsOf(staker)).toMatchObject([
        { claimed: Number(paid), escrowed: Number(STAKE + WEEK_YIELD + donation - paid) },
      ])
      await later(staker, DAY)
      const next = await staker.claim(0)
      expect(await amountOf(next)).toBe(accruedAt(next, shown) - paid)
    },
  )

  it('as large as an open claim endangers no principal or yield, and loses nothing', async () => {
    const { staker, position } = await createHolder()
    const donor = await createStaker(service)
    await later(staker, DAY)
    const claim = await staker.claim(0)
    expect((await staker.relay(claim)).status).toBe(200)
    await donate(service, donor, position, DONATION)
    await travel(service, LIFETIME_MS)
    await fateOf(service, staker, claim)
    for (const _ of [1, 2]) {
      await later(staker, DAY)
      const next = await staker.claim(0)
      if (next.status === 200) await staker.relay(next)
      const [shown] = await positionsOf(staker)
      const held = await credIn(service, position)
      expect(held).toBeGreaterThanOrEqual(STAKE + WEEK_YIELD - BigInt(Number(shown?.claimed)))
    }
    await later(staker, 8 * DAY)
    expect((await staker.relay(await staker.unstack(0))).status).toBe(200)
    expect(await staker.cred()).toBe(STAKE + WEEK_YIELD + DONATION)
  })
})

describe('wallets of the service', () => {
  it('can not stake: the authority, which owns the treasury, and the recovery key', async () => {
    for (const keypair of [authority, recovery]) {
      const staker = await createStaker(service, 0, keypair)
      expect((await staker.stack(ONE)).body).toMatchObject({ status: 400, code: 'wallet_not_eligible' })
    }
  })
})

describe('a treasury', () => {
  it('short of the yield by a lamport is 503, and with it funds the stake', async () => {
    const staker = await createStaker(service, STAKE)
    const owner = authority.publicKey.toBase58()
    try {
      for (const amount of [0n, WEEK_YIELD - 1n]) {
        await giveCred(service, owner, amount)
        const answer = await staker.stack(Number(STAKE), 7)
        expect(answer.body).toMatchObject({ status: 503, code: 'yield_reserve_short' })
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      await giveCred(service, owner, WEEK_YIELD)
      expect((await staker.relay(await staker.stack(Number(STAKE), 7))).status).toBe(200)
      expect(await credIn(service, await associatedTokenAddress(addressOf(authority), mintOf(service)))).toBe(
        0n,
      )
    } finally {
      await giveCred(service, owner, TREASURY)
    }
  })

  it('that can fund one of two built stacks funds the first, and nothing of the other', async () => {
    const [one, other] = [await createStaker(service, STAKE), await createStaker(service, STAKE)]
    const owner = authority.publicKey.toBase58()
    try {
      await giveCred(service, owner, WEEK_YIELD)
      const built = [await one.stack(Number(STAKE), 7), await other.stack(Number(STAKE), 7)] as const
      expect((await one.relay(built[0])).status).toBe(200)
      expect((await other.relay(built[1])).body).toMatchObject({ status: 409, code: 'transaction_failed' })
      expect(await other.cred()).toBe(STAKE)
    } finally {
      await giveCred(service, owner, TREASURY)
    }
  })
})

describe('a mint', () => {
  const TOKEN_2022 = parseAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

  it.each([
    ['of Token-2022', TOKEN_2022, 9],
    ['with six decimals', TOKEN_PROGRAM, 6],
    ['with no decimals', TOKEN_PROGRAM, 0],
  ])('%s is refused by its name at the first use', async (_, program, decimals) => {
    const mint = Keypair.generate()
    const other = await startService({
      groups: ['auth', 'vault', 'jobs'],
      bindings: { VAULT_MINT: mint.publicKey.toBase58() },
    })
    try {
      const staker = await createStaker(other)
      const expectRefused = async () => {
        for (const answer of [await staker.stack(ONE), await other.call('GET', '/vault/terms')]) {
          expect(answer.body).toMatchObject({ status: 503, code: 'mint_not_supported' })
          expect(answer.body.detail).toContain(mint.publicKey.toBase58())
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
      }
      await expectRefused()
      const lamports = await connectionOf(other).getMinimumBalanceForRentExemption(82)
      await perform(
        other,
        [staker.keypair, mint],
        [
          SystemProgram.createAccount({
            fromPubkey: staker.keypair.publicKey,
            newAccountPubkey: mint.publicKey,
            lamports,
            space: 82,
            programId: new PublicKey(program),
          }),
          {
            program,
            accounts: [writable(addressOf(mint))],
            // InitializeMint2 without a freeze authority
            data: concat([20, decimals], addressBytes(parseAddress(staker.owner)), [0]),
          },
        ],
      )
      await expectRefused()
      expect(await rowsOf(other, 'select id from vault_intents')).toEqual([])
    } finally {
      await other.stop()
    }
  })
})
