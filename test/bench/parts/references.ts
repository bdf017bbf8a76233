import { gzipSync } from 'node:zlib'
import type { Bench } from '../harness/bench.ts'
import { bundleText } from '../harness/bundle.ts'
import type { Action } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { amount } from '../harness/quick.ts'
import { ratioOf, type Section } from '../harness/report.ts'
import { plainWorker, prepare } from '../harness/workerd.ts'

const OURS = 'ours: WebCrypto, and points by @noble/ed25519'
const NOBLE = '@noble/ed25519 alone'
/** Verified by one request: so many that the request itself costs nothing beside them. */
const SIGNATURES = 20
const ROUNDS = { ...CPU_ROUNDS, count: amount(100, 20), warmUp: amount(100, 20) }

/** The modules that a Worker would need for the same work, minified and gzipped. */
const MODULES: Record<string, string> = {
  'Ed25519: ours': "export { verifiesAny } from './lib/keys/signature.ts'",
  'Ed25519: @noble/ed25519 alone': "export { verifyAsync } from '@noble/ed25519'",
  'a stack’s transaction: ours': `export { buildStack } from './lib/vault/escrow/stack.ts'
    export { associatedTokenAddress } from './lib/solana/programs/associated-token.ts'
    export { decodeTransaction } from './lib/solana/transaction.ts'`,
  'what it takes of @solana/web3.js':
    "export { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'",
  'what it takes of @solana/kit': `export {
    address, appendTransactionMessageInstructions, compileTransaction, createAddressWithSeed,
    createKeyPairFromBytes, createTransactionMessage, getAddressEncoder, getBase64EncodedWireTransaction,
    getProgramDerivedAddress, getTransactionDecoder, partiallySignTransaction,
    setTransactionMessageFeePayer, setTransactionMessageLifetimeUsingBlockhash } from '@solana/kit'`,
}

/** The rows that this part promises. */
export const subjects = (): string[] => [OURS, NOBLE, ...Object.keys(MODULES)]

/** Libraries that could replace our code, compared with it: one verification in workerd, and sizes. */
export async function references(_bench: Bench): Promise<Section[]> {
  const worker = await plainWorker('signatures', 'test/bench/peers/signatures-worker.ts')
  const subject = async (name: string, path: string) => {
    const prepared = await prepare({ workers: [worker], servers: NOBODY })
    const started = await prepared.start()
    const action: Action = (client) => client.send({ path: `${path}?count=${SIGNATURES}` })
    return { name, origin: started.origin, process: started, action }
  }
  const measured = await alternate([await subject(OURS, '/ours'), await subject(NOBLE, '/noble')], ROUNDS)
  const sizes = await Promise.all(
    Object.entries(MODULES).map(async ([name, text]) => {
      const script = await bundleText(text)
      return [name, gzipSync(script).length / 1000]
    }),
  )
  return [
    {
      title: 'Verifying an Ed25519 signature in workerd',
      columns: ['', 'CPU ms'],
      rows: [...measured].map(([name, { cpuMs }]) => [name, cpuMs / SIGNATURES]),
      goals: [],
      notes: [`noble : ours ${ratioOf(measured, 'cpuMs', NOBLE, OURS).toFixed(1)}`],
    },
    {
      title: 'Modules, minified and gzipped',
      columns: ['', 'KB'],
      rows: sizes as (string | number)[][],
      goals: [],
    },
  ]
}

/** The Worker asks nobody. */
const NOBODY = { outside: '127.0.0.1:9', kv: '127.0.0.1:9', queue: '127.0.0.1:9' }
