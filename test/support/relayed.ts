import type { Payer } from './payer.ts'
import type { Answer, Fault, Service } from './service.ts'
import { rpc } from './staker.ts'

/* Transactions that the relay has signed, on their way to the network. */

/** Makes the relay sign, and loses the transaction that it sends: the network never sees it. */
export async function relayedInto(service: Service, owner: Payer, built: Answer): Promise<string> {
  let sent = ''
  const lost: Fault = async (request) => {
    const { method, params } = (await request.clone().json()) as { method: string; params: string[] }
    if (method !== 'sendTransaction') return service.solana.outbound(request) ?? new Response(null)
    sent = String(params[0])
    throw new Error('connection reset')
  }
  const answer = await service.withRpcFault(lost, () => owner.relay(built))
  if (answer.body.code !== 'dependency_unavailable') throw new Error(`not lost: ${answer.text}`)
  return sent
}

/** Sends a transaction to the network, past the service. */
export const sendPast = (service: Service, transaction: string) =>
  rpc(service, 'sendTransaction', [transaction, { encoding: 'base64', skipPreflight: true }])
