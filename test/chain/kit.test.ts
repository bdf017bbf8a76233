import {
  address,
  appendTransactionMessageInstruction,
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { expect, onTestFinished, test } from 'vitest'
import { startChain } from './support.ts'

test('createSolanaRpc airdrops, sends, and reads exact lamports', async () => {
  const { rpc } = await startKit()
  const from = await generateKeyPairSigner()
  const to = await generateKeyPairSigner()
  // Kit itself sends no integer beyond 2^53, but reads them in full.
  const exact = 9_007_199_254_740_993n
  await rpc.requestAirdrop(from.address, lamports(exact - 1_000_000_000n)).send()
  await rpc.requestAirdrop(from.address, lamports(1_000_000_000n)).send()
  expect((await rpc.getBalance(from.address).send()).value).toBe(exact)

  const signed = await transfer(rpc, from, to, 1_000_000_001n)
  const wire = getBase64EncodedWireTransaction(signed)
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  expect(signature).toBe(getSignatureFromTransaction(signed))
  const { value: account } = await rpc.getAccountInfo(to.address, { encoding: 'base64' }).send()
  expect(account).toMatchObject({
    lamports: 1_000_000_001n,
    executable: false,
    space: 0n,
    data: ['', 'base64'],
  })
  expect((await rpc.getBalance(from.address).send()).value).toBe(exact - 1_000_000_001n - 5_000n)
  const { value: statuses } = await rpc.getSignatureStatuses([signature]).send()
  expect(statuses[0]).toMatchObject({ confirmationStatus: 'finalized', err: null })
  const landed = await rpc
    .getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'json' })
    .send()
  expect(landed?.meta?.fee).toBe(5_000n)
  const parsed = await rpc
    .getAccountInfo(address('SysvarC1ock11111111111111111111111111111111'), { encoding: 'jsonParsed' })
    .send()
  expect(parsed.value?.owner).toBe('Sysvar1111111111111111111111111111111111111')
})

test('a failing preflight is a typed error', async () => {
  const { rpc } = await startKit()
  const from = await generateKeyPairSigner()
  await rpc.requestAirdrop(from.address, lamports(1_000_000_000n)).send()
  const signed = await transfer(rpc, from, await generateKeyPairSigner(), 5_000_000_000n)
  const send = rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send()
  const error = await send.catch((caught: unknown) => caught)
  expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(
    true,
  )
  if (!isSolanaError(error)) return
  expect(isSolanaError(error.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true)
})

test('sendAndConfirmTransactionFactory confirms over the WebSocket', async () => {
  const { rpc, sendAndConfirm } = await startKit()
  const from = await generateKeyPairSigner()
  const to = await generateKeyPairSigner()
  await rpc.requestAirdrop(from.address, lamports(1_000_000_000n)).send()
  const signed = await transfer(rpc, from, to, 1_000_000n)
  await sendAndConfirm(signed, { commitment: 'confirmed' })
  expect((await rpc.getBalance(to.address).send()).value).toBe(1_000_000n)
})

test('ends with the block height exceeded when a transaction never lands', async () => {
  const { rpc, sendAndConfirm, clock } = await startKit()
  const from = await generateKeyPairSigner()
  const signed = await transfer(rpc, from, await generateKeyPairSigner(), 1_000_000n)
  const sending = sendAndConfirm(signed, { commitment: 'confirmed', skipPreflight: true })
  const passing = setInterval(() => clock.pass(10 * 400), 20)
  onTestFinished(() => clearInterval(passing))
  const error = await sending.catch((caught: unknown) => caught)
  expect(isSolanaError(error, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)).toBe(true)
})

async function startKit() {
  const { server, clock } = await startChain()
  const rpc = createSolanaRpc(server.url)
  const rpcSubscriptions = createSolanaRpcSubscriptions(`ws://127.0.0.1:${server.port + 1}`)
  return { rpc, clock, sendAndConfirm: sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions }) }
}

async function transfer(
  rpc: ReturnType<typeof createSolanaRpc>,
  from: KeyPairSigner,
  to: KeyPairSigner,
  amount: bigint,
) {
  const { value: blockhash } = await rpc.getLatestBlockhash().send()
  const signed = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(from, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
    (message) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: from, destination: to.address, amount }),
        message,
      ),
    (message) => signTransactionMessageWithSigners(message),
  )
  assertIsSendableTransaction(signed)
  assertIsTransactionWithBlockhashLifetime(signed)
  return signed
}
