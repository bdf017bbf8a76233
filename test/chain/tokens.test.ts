import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import {
  AuthorityType,
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMultisig2Instruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { fundedWallet, startChain } from './support.ts'
import { ataOf, key, mintTo, send, signer } from './token-support.ts'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const TOKEN = new PublicKey(TOKEN_PROGRAM_ADDRESS)

describe('the real token, associated token and memo programs', () => {
  test('mint, associated accounts, transferChecked and memo in web3.js transactions', async () => {
    const { connection } = await startChain()
    const { mint, authority, holder, source } = await mintTo(connection, 1_000n)
    const receiver = Keypair.generate()
    const destination = await ataOf(receiver, mint)
    const signature = await send(
      connection,
      authority,
      [holder],
      [
        getCreateAssociatedTokenIdempotentInstruction({
          payer: signer(authority),
          ata: destination,
          owner: key(receiver),
          mint: key(mint),
        }),
        getTransferCheckedInstruction({
          source,
          mint: key(mint),
          destination,
          authority: signer(holder),
          amount: 400n,
          decimals: 9,
        }),
        new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('für dich') }),
      ],
    )
    const balance = await connection.getTokenAccountBalance(new PublicKey(destination))
    expect(balance.value).toEqual({ amount: '400', decimals: 9, uiAmount: 4e-7, uiAmountString: '0.0000004' })
    const landed = await connection.getTransaction(signature)
    expect(landed?.meta?.preTokenBalances).toMatchObject([{ uiTokenAmount: { amount: '1000' } }])
    expect(landed?.meta?.postTokenBalances?.map((one) => one.uiTokenAmount.amount).sort()).toEqual([
      '400',
      '600',
    ])
    expect(landed?.meta?.innerInstructions?.[0]?.index).toBe(0)
    expect(landed?.meta?.logMessages?.join()).toContain('für dich')
    const [listed] = await connection.getSignaturesForAddress(new PublicKey(destination))
    expect(listed).toMatchObject({ signature, memo: '[9] für dich' })

    const parsed = await connection.getParsedTokenAccountsByOwner(receiver.publicKey, { programId: TOKEN })
    expect(parsed.value.map((one) => one.pubkey.toBase58())).toEqual([destination])
    expect(parsed.value[0]?.account.data).toMatchObject({
      program: 'spl-token',
      space: 165,
      parsed: {
        type: 'account',
        info: {
          isNative: false,
          mint: key(mint),
          owner: key(receiver),
          state: 'initialized',
          tokenAmount: { amount: '400', decimals: 9 },
        },
      },
    })
    const byMint = await connection.getTokenAccountsByOwner(receiver.publicKey, { mint: mint.publicKey })
    expect(byMint.value[0]?.account.data.readBigUInt64LE(64)).toBe(400n)
    const parsedTransaction = await connection.getParsedTransaction(signature)
    expect(parsedTransaction?.transaction.message.instructions).toHaveLength(3)
  })

  test('a transfer by the wrong wallet fails as on a validator', async () => {
    const { connection } = await startChain()
    const { mint, authority, source } = await mintTo(connection, 1_000n)
    const thief = await fundedWallet(connection, 1)
    const steal = getTransferCheckedInstruction({
      source,
      mint: key(mint),
      destination: await ataOf(authority, mint),
      authority: signer(thief),
      amount: 1n,
      decimals: 9,
    })
    await expect(send(connection, thief, [], [steal])).rejects.toThrow(/Simulation failed/)
  })

  test('shows mints, delegates, multisigs and anything else in jsonParsed', async () => {
    const { connection } = await startChain()
    const { mint, authority, holder, source } = await mintTo(connection, 1_000n)
    const multisig = Keypair.generate()
    const rent = await connection.getMinimumBalanceForRentExemption(355)
    await send(
      connection,
      authority,
      [holder, multisig],
      [
        getApproveInstruction({ source, delegate: key(authority), owner: signer(holder), amount: 7n }),
        getSetAuthorityInstruction({
          owned: source,
          owner: signer(holder),
          authorityType: AuthorityType.CloseAccount,
          newAuthority: key(authority),
        }),
        SystemProgram.createAccount({
          fromPubkey: authority.publicKey,
          newAccountPubkey: multisig.publicKey,
          lamports: rent,
          space: 355,
          programId: TOKEN,
        }),
        getInitializeMultisig2Instruction({
          multisig: key(multisig),
          m: 2,
          signers: [key(authority), key(holder), key(holder)],
        }),
      ],
    )
    const parsed = async (pubkey: PublicKey) => (await connection.getParsedAccountInfo(pubkey)).value?.data
    expect(await parsed(mint.publicKey)).toMatchObject({
      parsed: {
        type: 'mint',
        info: { decimals: 9, freezeAuthority: null, mintAuthority: key(authority), supply: '1000' },
      },
    })
    expect(await parsed(new PublicKey(source))).toMatchObject({
      parsed: {
        info: {
          delegate: key(authority),
          delegatedAmount: { amount: '7' },
          closeAuthority: key(authority),
        },
      },
    })
    expect(await parsed(multisig.publicKey)).toMatchObject({
      parsed: {
        type: 'multisig',
        info: {
          numRequiredSigners: 2,
          numValidSigners: 3,
          signers: [key(authority), key(holder), key(holder)],
        },
      },
    })
    expect(Buffer.isBuffer(await parsed(authority.publicKey))).toBe(true)
  })
})
