import { base58 } from '@scure/base'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Service } from './service.ts'
import { rpc } from './staker.ts'

const ATTESTATION_PROGRAM = '22zoJMtdu4tQc2PzL74ZUT7FrwgB1Udec8DdW4yw4BdG'

/** An account of the Solana Attestation Service, as its program writes it, in hexadecimal. */
export function attestationAccount(fields: {
  nonce: string
  credential: string
  schema: string
  expiry?: bigint
  kind?: number
}): string {
  const { nonce, credential, schema, expiry = 0n, kind = 2 } = fields
  const key = (address: string) => Buffer.from(base58.decode(address))
  const data = Buffer.from('claims')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  const until = Buffer.alloc(8)
  until.writeBigInt64LE(expiry)
  return Buffer.concat([
    Buffer.from([kind]),
    key(nonce),
    key(credential),
    key(schema),
    length,
    data,
    key(createWallet().publicKey),
    until,
    Buffer.alloc(32),
  ]).toString('hex')
}

/** Puts an account on a service's chain, at an address of its own or one that is given. */
export async function putOnChain(
  service: Service,
  data: string,
  { owner = ATTESTATION_PROGRAM, address = createWallet().publicKey } = {},
): Promise<string> {
  await rpc(service, 'surfnet_setAccount', [address, { owner, data }])
  return address
}
