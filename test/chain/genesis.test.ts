import { address } from '@solana/kit'
import { Keypair, PublicKey } from '@solana/web3.js'
import { getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { seedChain } from '../../lib/local/chain/genesis.ts'
import { call, callText, fundedWallet, startChain } from './support.ts'
import { ataOf, key, mintTo, send, signer } from './token-support.ts'

const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const SUPPLY = 18_000_000_000_000_000_001n

describe('genesis', () => {
  test('makes mint and treasury once, exact above 2^53', async () => {
    const { connection, chain } = await startChain()
    const [mint, authority, owner] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
    const options = {
      mint: mint.secretKey,
      mintAuthority: authority.secretKey,
      treasuryOwner: key(owner),
      treasuryAmount: SUPPLY,
    }
    const first = await seedChain(chain.ledger, options)
    expect(await seedChain(chain.ledger, options)).toEqual(first)
    expect(first).toEqual({ mint: key(mint), treasury: await ataOf(owner, mint) })
    const supply = await connection.getTokenSupply(mint.publicKey)
    expect(supply.value).toMatchObject({ amount: SUPPLY.toString(), uiAmountString: '18000000000.000000001' })
    const treasury = await connection.getTokenAccountBalance(new PublicKey(first.treasury))
    expect(treasury.value.amount).toBe(SUPPLY.toString())
    expect(await connection.getBalance(owner.publicKey)).toBe(100_000_000_000)
    expect(await connection.getBalance(authority.publicKey)).toBeGreaterThan(99_000_000_000)
  })

  test("refuses an address that has anything but this authority's mint", async () => {
    const { connection, chain } = await startChain()
    const { mint, holder } = await mintTo(connection, 1n)
    const seeded = seedChain(chain.ledger, {
      mint: mint.secretKey,
      mintAuthority: holder.secretKey,
      treasuryOwner: key(holder),
      treasuryAmount: 1n,
    })
    await expect(seeded).rejects.toThrow(`${key(mint)} is not a mint of ${key(holder)}`)
  })
})

describe('surfnet_setTokenAccount', () => {
  test('creates and updates the associated account, and the supply follows', async () => {
    const { connection, server } = await startChain()
    const { mint } = await mintTo(connection, 1_000n)
    const owner = Keypair.generate()
    const set = (amount: string) =>
      callText(
        server.url,
        'surfnet_setTokenAccount',
        `["${key(owner)}", "${key(mint)}", {"amount": ${amount}}]`,
      )
    const account = new PublicKey(await ataOf(owner, mint))
    const amounts = async () => [
      (await connection.getTokenAccountBalance(account)).value.amount,
      (await connection.getTokenSupply(mint.publicKey)).value.amount,
    ]
    expect(await set('9007199254740993')).toMatchObject({ result: { value: null } })
    expect(await amounts()).toEqual(['9007199254740993', '9007199254741993'])
    await set('5')
    expect(await amounts()).toEqual(['5', '1005'])

    const wallet = await fundedWallet(connection, 1)
    await send(
      connection,
      wallet,
      [owner],
      [
        getTransferCheckedInstruction({
          source: address(account.toBase58()),
          mint: key(mint),
          destination: address(account.toBase58()),
          authority: signer(owner),
          amount: 5n,
          decimals: 9,
        }),
      ],
    )
    expect((await set('18446744073709551615')).error?.message).toContain('would not fit 64 bits')
    expect((await set('18446744073709551616')).error?.code).toBe(-32602)
    expect((await set('-1')).error?.code).toBe(-32602)
    expect(await amounts()).toEqual(['5', '1005'])
  })

  test('takes another token program and refuses a mint of a different one', async () => {
    const { connection, server } = await startChain()
    const { mint } = await mintTo(connection, 1n)
    const owner = Keypair.generate()
    const params = [key(owner), key(mint), { amount: 1 }]
    expect(
      (await call(server.url, 'surfnet_setTokenAccount', [...params, TOKEN_PROGRAM_ADDRESS])).error,
    ).toBeUndefined()
    const refused = await call(server.url, 'surfnet_setTokenAccount', [...params, TOKEN_2022])
    expect(refused.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('is not a mint of'),
    })
    const unknown = [key(owner), key(owner), { amount: 1 }]
    expect((await call(server.url, 'surfnet_setTokenAccount', unknown)).error?.code).toBe(-32602)
    const more = [key(owner), key(mint), { amount: 1, delegate: key(owner) }]
    expect((await call(server.url, 'surfnet_setTokenAccount', more)).error?.code).toBe(-32602)
  })
})
