import {
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseAddress } from '../../lib/solana/address.ts'
import { LIGHTHOUSE_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { FINALITY_MS, fateOf, LIFETIME_MS, positionsOf, rowsOf, treasuryOf } from '../support/chain.ts'
import { exitEarly, makeVault } from '../support/forger.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import {
  connectionOf,
  createStaker,
  DAY,
  giveCred,
  ONE,
  type Staker,
  travel,
  travelToNoon,
} from '../support/staker.ts'
import { createWallet, PHANTOM, type WalletHabits } from '../support/wallets.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs', 'marketplace'] })
})
afterAll(() => service.stop())
beforeEach(() => rowsOf(service, 'delete from vault_generations'))

const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)))

const newest = async (): Promise<WalletHabits> => ({
  ...PHANTOM,
  blockhash: (await connectionOf(service).getLatestBlockhash()).blockhash,
})

/** What a wallet that gives every message another priority fee returns. */
const signedAs = (staker: Staker, answer: Answer, microLamports: bigint) =>
  staker.signFirst(answer, { ...PHANTOM, budget: { units: 250_000, microLamports } })

async function createHolder(positions = 1): Promise<Staker> {
  const staker = await createStaker(service)
  for (let count = 0; count <= positions; count += 1) {
    expect((await staker.relayFirst(await staker.first.stack(100 * ONE, 7))).status).toBe(200)
    await staker.vault()
  }
  return staker
}

const later = async (staker: Staker, ms: number) => {
  await travel(service, ms)
  await staker.signInAgain()
}

const recorded = async (answer: Answer) =>
  (
    await rowsOf(
      service,
      'select status, network_signature, cosigned_message from vault_intents where id = $1',
      String(answer.body.id),
    )
  )[0]

describe('one message of an intent', () => {
  it('is cosigned: of fourteen messages of one claim one lands', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const claim = await staker.first.claim(0)
    const before = await staker.cred()
    const answers = await times(14, (index) =>
      staker.relaySigned(claim, signedAs(staker, claim, BigInt(index + 1))),
    )
    const sent = answers.filter(({ status }) => status === 200)
    expect(sent).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => !sent.includes(answer))) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'already_cosigned' })
    }
    for (let minutes = 0; minutes < 4; minutes += 1) {
      await travel(service, 61_000)
      const again = await staker.relaySigned(claim, staker.signFirst(claim, await newest()))
      expect(again.body).toMatchObject({ status: 409, code: 'already_cosigned' })
    }
    const [leg] = await rowsOf(
      service,
      'select amount from vault_intent_legs where intent_id = $1',
      String(claim.body.id),
    )
    expect(await staker.cred()).toBe(before + BigInt(leg?.[0] ?? 0))
  })

  it('asked for again gives the same bytes, the same answer, and lands once', async () => {
    const staker = await createHolder(0)
    const stack = await staker.first.stack(ONE, 7)
    const signed = staker.signFirst(stack)
    const answers = await times(12, () => staker.relaySigned(stack, signed))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.signature)).size).toBe(1)
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'landed' })
    expect((await staker.relaySigned(stack, signed)).body.signature).toBe(answers[0]?.body.signature)
    expect(await staker.cred()).toBe(999n * BigInt(ONE))
    expect(await positionsOf(staker)).toHaveLength(1)
  })

  it('recorded but not sent, since the service died between: asking again sends it', async () => {
    const staker = await createHolder(0)
    const stack = await staker.first.stack(ONE, 7)
    const signed = staker.signFirst(stack)
    const dead = await service.withRpcFault(
      async (request) => {
        const { method } = (await request.clone().json()) as { method: string }
        if (method === 'sendTransaction') throw new Error('connection reset')
        return service.solana.outbound(request) ?? new Response('', { status: 500 })
      },
      () => staker.relaySigned(stack, signed),
    )
    expect(dead.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
    const row = await recorded(stack)
    expect(row?.[0]).toBe('open')
    expect(await staker.status(stack)).toMatchObject({ status: 'open', signature: row?.[1] })
    // Another message would be a second signature.
    expect((await staker.relaySigned(stack, signedAs(staker, stack, 9n))).body.code).toBe('already_cosigned')
    const again = await staker.relaySigned(stack, signed)
    expect(again.body).toEqual({ id: stack.body.id, signature: row?.[1] })
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'landed' })
    expect(await recorded(stack)).toEqual(['landed', row?.[1], row?.[2]])
  })

  it.each(['isBlockhashValid', 'simulateTransaction', 'getMultipleAccounts', 'getBlockHeight'])(
    'is not recorded while the node does not answer %s',
    async (broken) => {
      const staker = await createHolder(0)
      const stack = await staker.first.stack(ONE, 7)
      for (const fault of [
        () => Response.json({ jsonrpc: '2.0', id: 1, result: null }),
        () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'behind' } }),
        () => new Response('<h1>bad gateway</h1>', { status: 502 }),
      ]) {
        const answer = await service.withRpcFault(
          async (request) => {
            const { method } = (await request.clone().json()) as { method: string }
            return method === broken ? fault() : (service.solana.outbound(request) ?? fault())
          },
          () => staker.relayFirst(stack),
        )
        expect(answer.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
        expect(await recorded(stack)).toEqual(['open', null, null])
      }
      expect((await staker.relayFirst(stack)).status).toBe(200)
    },
  )
})

describe('the deadline', () => {
  it('is five minutes after building, for any delay of the stake until then', async () => {
    const staker = await createHolder(0)
    const stack = await staker.first.stack(100 * ONE, 365)
    // Without its tokens, or with guards that fail, it could stay alive; here the tokens go and come back.
    await giveCred(service, staker.owner, 0n)
    for (let minutes = 1; minutes < 5; minutes += 1) {
      await travel(service, 59_000)
      const answer = await staker.relaySigned(stack, staker.signFirst(stack, await newest()))
      expect(answer.body).toMatchObject({ status: 409, code: 'not_cosigned' })
    }
    await giveCred(service, staker.owner, 100 * ONE)
    await travel(service, 65_000)
    const late = await staker.relaySigned(stack, staker.signFirst(stack, await newest()))
    expect(late.body).toMatchObject({ status: 409, code: 'transaction_expired' })
    expect(await recorded(stack)).toEqual(['open', null, null])
    // It ends without a call to the chain.
    await travel(service, 2_001)
    const calls = await service.countRpc(async () => {
      expect(await staker.status(stack)).toMatchObject({ status: 'expired' })
    })
    expect(calls).toBe(0)
    expect((await staker.relayFirst(stack)).body.code).toBe('transaction_expired')
  })

  it('ends claims, too, which frees their positions, also by the cron', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const claim = await staker.first.claim(0)
    await later(staker, 5 * 60_000)
    await service.runJob('daily')
    expect(await recorded(claim)).toEqual(['expired', null, null])
    const held = 'select open_claim from positions where owner = $1'
    expect(await rowsOf(service, held, staker.owner)).toEqual([[null]])
    // Of what was never signed nobody needs to know for long.
    await later(staker, 6 * 60_000)
    await service.runJob('daily')
    expect(await recorded(claim)).toBeUndefined()
  })
})

describe('a guard', () => {
  it('of an account that changes by itself, or of the treasury, is not cosigned', async () => {
    const staker = await createHolder(0)
    const { treasury } = await treasuryOf(service)
    const vote = 'Vote111111111111111111111111111111111111111'
    const clock = 'SysvarC1ock11111111111111111111111111111111'
    const stack = await staker.first.stack(ONE, 7)
    for (const [index, account] of [
      [5, vote],
      [5, clock],
      [5, treasury],
      [15, staker.owner],
    ] as const) {
      const built = VersionedTransaction.deserialize(Buffer.from(String(stack.body.transaction), 'base64'))
      const { instructions, recentBlockhash } = TransactionMessage.decompile(built.message)
      const guard = new TransactionInstruction({
        programId: new PublicKey(LIGHTHOUSE_PROGRAM),
        keys: [{ pubkey: new PublicKey(account), isSigner: false, isWritable: false }],
        data: Buffer.from([index, 0, 0]),
      })
      const message = new TransactionMessage({
        payerKey: staker.keypair.publicKey,
        recentBlockhash,
        instructions: [...instructions, guard],
      })
      const submitted = new VersionedTransaction(message.compileToV0Message())
      submitted.sign([staker.keypair])
      const answer = await staker.relaySigned(stack, Buffer.from(submitted.serialize()).toString('base64'))
      expect(answer.body).toMatchObject({ status: 400, code: 'transaction_not_ours' })
    }
    expect(await recorded(stack)).toEqual(['open', null, null])
  })
})

describe('a repeated request', () => {
  it('replaces an unsigned stack, and an unsigned opening of the vault', async () => {
    const staker = await createStaker(service)
    const [first, second] = [await staker.first.stack(ONE, 7), await staker.first.stack(ONE, 7)]
    expect(await staker.status(first)).toMatchObject({ status: 404, code: 'transaction_not_found' })
    expect((await staker.relayFirst(first)).body).toMatchObject({
      status: 404,
      code: 'transaction_not_found',
    })
    expect((await staker.relayFirst(second)).status).toBe(200)
    await staker.vault()
    const stacks = await times(20, () => staker.first.stack(ONE, 7))
    const statuses = await Promise.all(stacks.map((stack) => staker.status(stack)))
    expect(statuses.filter(({ status }) => status === 'unsigned')).toHaveLength(1)
    expect(statuses.filter(({ code }) => code === 'transaction_not_found')).toHaveLength(19)
    const answers = await times(20, (index) => staker.relayFirst(stacks[index] as Answer))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await staker.cred()).toBe(999n * BigInt(ONE))
  })

  it('of a claim returns the same while it is valid; another claim replaces it', async () => {
    const staker = await createHolder(2)
    await later(staker, DAY)
    const claims = await times(20, () => staker.first.claim())
    expect(new Set(claims.map(({ body }) => body.id)).size).toBe(1)
    const [all] = claims
    if (!all) throw new Error('nothing built')
    const one = await staker.first.claim(0)
    expect(one.status).toBe(200)
    expect(await staker.status(all)).toMatchObject({ code: 'transaction_not_found' })
    // The other position is free again.
    const other = await staker.claim(1)
    expect(other.body).toMatchObject({ signing: 'service_first' })
    const serviceFirst = await staker.claim(0)
    expect(serviceFirst.body).toMatchObject({ signing: 'service_first' })
    for (const replaced of [all, one]) {
      expect((await staker.relayFirst(replaced)).body.code).toBe('transaction_not_found')
    }
    // Signed by the service it has to be waited for.
    expect((await staker.first.claim(0)).body).toMatchObject({ status: 409, code: 'claim_open' })
    expect((await staker.relay(serviceFirst)).status).toBe(200)
    expect((await staker.relay(other)).status).toBe(200)
  })

  it('waits for a cosigned claim until it has landed or can no longer land', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const claim = await staker.first.claim(0)
    const before = await staker.cred()
    await service.withRpcFault(
      async (request) => {
        const { method } = (await request.clone().json()) as { method: string }
        if (method === 'sendTransaction') throw new Error('connection reset')
        return service.solana.outbound(request) ?? new Response('', { status: 500 })
      },
      () => staker.relayFirst(claim),
    )
    for (const ask of [staker.first.claim, staker.claim]) {
      expect((await ask(0)).body).toMatchObject({ status: 409, code: 'claim_open' })
    }
    await travel(service, 45_000)
    expect((await staker.claim(0)).body).toMatchObject({ status: 409, code: 'claim_open' })
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, claim)).toMatchObject({ status: 'expired' })
    const again = await staker.first.claim(0)
    expect((await staker.relayFirst(again)).status).toBe(200)
    const [leg] = await rowsOf(
      service,
      'select amount from vault_intent_legs where intent_id = $1',
      String(again.body.id),
    )
    expect(await staker.cred()).toBe(before + BigInt(leg?.[0] ?? 0))
  })

  it('of withdrawals lands one, with either signing order', async () => {
    const staker = await createHolder()
    await later(staker, 8 * DAY)
    const built = await times(12, (index) => (index % 2 ? staker.unstack(0) : staker.first.unstack(0)))
    expect(new Set(built.map(({ status }) => status))).toEqual(new Set([200]))
    const answers = await times(12, (index) =>
      index % 2 ? staker.relay(built[index] as Answer) : staker.relayFirst(built[index] as Answer),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    const yielded = (100_000_000_000n * 800n * 7n) / (10_000n * 365n)
    expect(await staker.cred()).toBe(1000n * BigInt(ONE) + yielded)
    expect((await staker.vault()).body).toMatchObject({ positions: [] })
  })
})

describe('the relay refuses', () => {
  it('another’s transaction, and one signed by another', async () => {
    const [staker, thief] = [await createHolder(0), await createHolder(0)]
    const [mine, thiefs] = [await staker.first.stack(ONE, 7), await thief.first.stack(ONE, 7)]
    const signed = staker.signFirst(mine)
    expect((await thief.relaySigned(mine, signed)).body.code).toBe('transaction_not_found')
    expect((await thief.relaySigned(thiefs, signed)).body.code).toBe('transaction_not_ours')
    const forged = createWallet(thief.keypair)
    expect(() => forged.sign(String(mine.body.transaction))).toThrow()
    expect(await recorded(thiefs)).toEqual(['open', null, null])
  })

  it('an instruction of the wallet’s own that would use the authority’s signature', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const claim = await staker.first.claim(0)
    const built = VersionedTransaction.deserialize(Buffer.from(String(claim.body.transaction), 'base64'))
    const { instructions, recentBlockhash } = TransactionMessage.decompile(built.message)
    const transfer = instructions.find(({ data }) => data.length === 10)
    if (!transfer) throw new Error('no transfer')
    const position = transfer.keys[0]?.pubkey ?? PublicKey.default
    const whole = Buffer.from(transfer.data)
    whole.writeBigUInt64LE(100n * BigInt(ONE), 1)
    const changes = [
      [...instructions, transfer],
      instructions.map((one) => (one === transfer ? { ...one, data: whole } : one)),
      [
        ...instructions,
        SystemProgram.transfer({ fromPubkey: staker.keypair.publicKey, toPubkey: position, lamports: 1 }),
      ],
      [{ ...transfer, keys: transfer.keys.map((key) => ({ ...key, isWritable: true })) }, ...instructions],
      instructions.toReversed(),
    ]
    for (const changed of changes) {
      const message = new TransactionMessage({
        payerKey: staker.keypair.publicKey,
        recentBlockhash,
        instructions: changed,
      }).compileToLegacyMessage()
      const transaction = new VersionedTransaction(message)
      transaction.sign([staker.keypair])
      const answer = await staker.relaySigned(claim, Buffer.from(transaction.serialize()).toString('base64'))
      expect(answer.body).toMatchObject({ status: 400, code: 'transaction_not_ours' })
    }
    expect(await recorded(claim)).toEqual(['open', null, null])
    expect((await staker.relayFirst(claim)).status).toBe(200)
  })

  it('a transaction that nobody signed, and the service’s own form of the other way', async () => {
    const staker = await createHolder(0)
    const stack = await staker.first.stack(ONE, 7)
    const unsigned = String(stack.body.transaction)
    expect((await staker.relaySigned(stack, unsigned)).body.code).toBe('transaction_not_ours')
    const first = await staker.stack(ONE, 7)
    expect((await staker.relaySigned(first, staker.signFirst(first, { guards: true }))).body.code).toBe(
      'transaction_not_ours',
    )
    expect(() => staker.signFirst(first)).toThrow(/before/)
  })
})

describe('a stack is cosigned only', () => {
  it('while its owner’s account has the amount', async () => {
    const staker = await createHolder(0)
    await giveCred(service, staker.owner, 0n)
    const stack = await staker.stack(10 * ONE, 7)
    expect(stack.body).toMatchObject({ signing: 'wallet_first', quote: { funded: false } })
    expect((await staker.relayFirst(stack)).body).toMatchObject({ status: 409, code: 'not_cosigned' })
    await giveCred(service, staker.owner, 10 * ONE)
    expect((await staker.relayFirst(stack)).status).toBe(200)
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'landed' })
  })

  it('under a vault with the service’s signers: an owner’s own vault gets no yield', async () => {
    const staker = await createStaker(service, 0)
    const stack = await staker.stack(10 * ONE, 7)
    expect(stack.body).toMatchObject({ signing: 'wallet_first', step: 'stack' })
    await giveCred(service, staker.owner, 10 * ONE)
    expect((await staker.relayFirst(stack)).body).toMatchObject({ status: 409, code: 'not_cosigned' })
    await makeVault(service, staker, 1, [parseAddress(staker.owner)])
    expect((await staker.relaySigned(stack, staker.signFirst(stack, await newest()))).body).toMatchObject({
      status: 409,
      code: 'not_cosigned',
    })
    expect((await staker.first.stack(10 * ONE, 7)).body).toMatchObject({ code: 'vault_occupied' })
    expect(await recorded(stack)).toEqual(['open', null, null])
  })

  it('while stakes are allowed: the breaker stops it between building and signing', async () => {
    const [thief, staker] = [await createHolder(), await createHolder(0)]
    const stack = await staker.first.stack(ONE, 7)
    const [position] = await positionsOf(thief)
    await exitEarly(service, thief, String(position?.address) as never)
    await service.runJobs('settlement')
    // The transactions that the first run saw are final when the second run confirms them.
    await travel(service, FINALITY_MS)
    await service.runJobs('settlement')
    expect((await staker.relayFirst(stack)).body).toMatchObject({ status: 503, code: 'stacking_paused' })
    expect(await recorded(stack)).toEqual(['open', null, null])
    await rowsOf(service, 'delete from vault_generations')
    expect((await staker.relaySigned(stack, staker.signFirst(stack, await newest()))).status).toBe(200)
  })

  it('up to five that may still land; failed ones restore their share of the limits', async () => {
    await travelToNoon(service)
    const staker = await createHolder(0)
    const silent = async (request: Request) => {
      const { method } = (await request.clone().json()) as { method: string }
      if (method === 'sendTransaction') throw new Error('connection reset')
      return service.solana.outbound(request) ?? new Response('', { status: 500 })
    }
    for (let count = 0; count < 5; count += 1) {
      const stack = await staker.first.stack(ONE, 7)
      await service.withRpcFault(silent, () => staker.relayFirst(stack))
      expect((await recorded(stack))?.[1]).toBeTruthy()
    }
    expect((await staker.first.stack(ONE, 7)).body.code).toBe('too_many_open_stacks')
    const day = new Date(service.clock.now()).toISOString().slice(0, 10)
    const taken = () => rowsOf(service, 'select yield_landed from vaults where owner = $1', staker.owner)
    expect(Number((await taken())[0]?.[0])).toBeGreaterThan(0)
    await travel(service, LIFETIME_MS + 10_000)
    await staker.vault()
    expect(
      await rowsOf(
        service,
        'select open_stacks, yield_landed, yield_day from vaults where owner = $1',
        staker.owner,
      ),
    ).toEqual([['0', '0', day]])
  })
})

it('finds the opening of a vault by any sender', async () => {
  const staker = await createStaker(service)
  const opening = await staker.first.stack(ONE, 7)
  expect(opening.body.step).toBe('open_vault')
  await connectionOf(service).sendRawTransaction(Buffer.from(staker.signFirst(opening), 'base64'))
  expect(await fateOf(service, staker, opening)).toMatchObject({ kind: 'open_vault', status: 'landed' })
  expect((await staker.first.stack(ONE, 7)).body.step).toBe('stack')
})
