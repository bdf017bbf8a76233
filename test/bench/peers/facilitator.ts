import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import type { FacilitatorInput, PeerReady } from './inputs.ts'

/**
 * The published facilitator behind node:http: POST /settle. It keeps what it has settled in memory, and no
 * credit, limits or log lines.
 */
const input: FacilitatorInput = JSON.parse(process.argv[2] ?? '{}')
const keypair = await createKeyPairSignerFromBytes(new Uint8Array(base58.decode(input.feePayerKey)))
const signer = toFacilitatorSvmSigner(keypair, { defaultRpcUrl: input.rpcUrl })
const facilitator = new x402Facilitator().register('solana:*', new ExactSvmScheme(signer))

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { paymentPayload, paymentRequirements } = JSON.parse(Buffer.concat(chunks).toString())
  const answer = await facilitator
    .settle(paymentPayload, paymentRequirements)
    .catch((error: unknown) => ({ success: false, errorReason: String(error) }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.keepAliveTimeout = 600_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.on('disconnect', () => process.exit())
process.send?.({
  origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
} satisfies PeerReady)
