import { createPrivateKey, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { Keypair } from '@solana/web3.js'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { pkcs8Of } from '../../lib/keys/signing-key.ts'
import { type Address, addressOf, parseAddress } from '../../lib/solana/address.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { decodeTransaction } from '../../lib/solana/transaction.ts'
import type { PaymentTerms } from '../../lib/x402/checks/requirements.ts'
import { type RawMessage, rawOf, shortest, writeRaw } from './raw-message.ts'

/* Payments as the published client makes them, and what an agent asks for. */

export const NETWORK = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const AGENT = '0199a3c0-0000-7000-8000-000000000001'

export const [payer, owner, feePayer, stranger] = [1, 2, 3, 4].map((byte) =>
  Keypair.fromSeed(new Uint8Array(32).fill(byte)),
) as [Keypair, Keypair, Keypair, Keypair]
export const keyOf = ({ publicKey }: Keypair): Address => parseAddress(publicKey.toBase58())
export const [mint, otherMint] = [21, 22].map((byte) => addressOf(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
]
export const source = await associatedTokenAddress(keyOf(payer), mint)
export const destination = await associatedTokenAddress(keyOf(owner), mint)

export const AMOUNT = 250_000n

export const terms: PaymentTerms = {
  agentId: AGENT,
  owner: keyOf(owner),
  prices: [
    { name: 'forecast', asset: mint, amount: AMOUNT },
    { name: 'tides', asset: otherMint, amount: 7n },
  ],
  feePayer: keyOf(feePayer),
  network: NETWORK,
  maxFee: 20_000n,
}

export const requirementsWith = (extra: Record<string, unknown> = {}): PaymentRequirements => ({
  scheme: 'exact',
  network: NETWORK,
  amount: AMOUNT.toString(),
  asset: mint,
  payTo: keyOf(owner),
  maxTimeoutSeconds: 60,
  extra: { feePayer: keyOf(feePayer), agentId: AGENT, paymentFlow: 'upfront', ...extra },
})

/** A node that knows mints of nine decimals and one blockhash. */
async function stubNode(): Promise<{ url: string; close: () => void }> {
  const data = Buffer.alloc(82)
  data[44] = 9
  data[45] = 1
  const account = {
    data: [data.toString('base64'), 'base64'],
    owner: TOKEN_PROGRAM,
    lamports: 1_461_600,
    executable: false,
    rentEpoch: 0,
    space: 82,
  }
  const latest = { blockhash: addressOf(new Uint8Array(32).fill(77)), lastValidBlockHeight: 150 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
    const value = method === 'getAccountInfo' ? account : latest
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** What the published client sends for these requirements. @param rpcUrl a node, else one that is made up */
export async function stockPayment(
  requirements: PaymentRequirements,
  rpcUrl?: string,
  by: Keypair = payer,
): Promise<PaymentPayload> {
  const node = rpcUrl === undefined ? await stubNode() : { url: rpcUrl, close: () => {} }
  try {
    const client = new ExactSvmScheme(await createKeyPairSignerFromBytes(by.secretKey), {
      rpcUrl: node.url,
    })
    const made = await client.createPaymentPayload(2, requirements)
    return { ...made, accepted: requirements }
  } finally {
    node.close()
  }
}

export const transactionOf = ({ payload }: PaymentPayload): string => String(payload.transaction)

/** The message of a payment, in loose parts. */
export function rawPayment(payload: PaymentPayload): RawMessage {
  const decoded = decodeTransaction(transactionOf(payload))
  if (!decoded) throw new Error('no transaction')
  return rawOf(decoded.message)
}

/** Signs a message by the signers that are in its first accounts. Other slots stay empty. */
export function signedBy(signers: Keypair[], raw: RawMessage, message = writeRaw(raw)): string {
  const slots = Array.from({ length: raw.header[0] }, (_, index) => {
    const signer = signers.find(({ publicKey }) => publicKey.toBase58() === raw.keys[index])
    return signer ? signatureOf(signer, message) : Buffer.alloc(64)
  })
  return Buffer.concat([Buffer.from(shortest(slots.length)), ...slots, message]).toString('base64')
}

function signatureOf({ secretKey }: Keypair, message: Uint8Array): Buffer {
  const key = createPrivateKey({
    key: Buffer.from(pkcs8Of(secretKey.subarray(0, 32))),
    format: 'der',
    type: 'pkcs8',
  })
  return sign(null, message, key)
}

/** The same payload with another transaction. */
export const withTransaction = (payload: PaymentPayload, transaction: string): PaymentPayload => ({
  ...payload,
  payload: { ...payload.payload, transaction },
})
