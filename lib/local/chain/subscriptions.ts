import * as v from 'valibot'
import type { WebSocket } from 'ws'
import { toJson } from '../../http/json.ts'
import type { Chain } from './chain.ts'
import type { Certainty } from './ledger.ts'
import { answer } from './rpc/dispatch.ts'
import { RPC_CODE, RpcError } from './rpc/errors.ts'
import { Commitment, inContext, type Method, method, Signature } from './rpc/params.ts'
import { SLOT_MS } from './slots.ts'

const MAX_SUBSCRIPTIONS_PER_SOCKET = 1_000

const SignatureConfig = v.nullish(
  v.object({ commitment: v.nullish(Commitment), enableReceivedNotification: v.nullish(v.boolean()) }),
)

type Subscription =
  | { kind: 'slot' }
  /** Waits until a transaction reaches this commitment. */
  | { kind: 'signature'; signature: string; certainty: Certainty }

/**
 * Serves the subscriptions of one WebSocket until it closes: signatureSubscribe, which notifies once and
 * ends, and slotSubscribe, which @solana/kit needs to see a blockhash expire. Any other method is -32601.
 * Source: https://solana.com/docs/rpc/websocket
 */
export function serveSubscriptions(chain: Chain, socket: WebSocket): void {
  const subscriptions = new Map<number, Subscription>()
  let nextId = 0
  let timer: NodeJS.Timeout | undefined
  let lastSlot = chain.ledger.slot

  const send = (message: object) => socket.send(toJson({ jsonrpc: '2.0', ...message }))
  const subscribe = (subscription: Subscription): number => {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS_PER_SOCKET)
      throw new RpcError(RPC_CODE.internal, 'Too many subscriptions')
    subscriptions.set(nextId, subscription)
    timer ??= setInterval(tick, SLOT_MS)
    return nextId++
  }
  /** Notifies of signatures that reached their commitment, and ends these subscriptions. */
  const notifySignatures = () => {
    for (const [subscription, waiting] of subscriptions) {
      if (waiting.kind !== 'signature') continue
      const landed = chain.ledger.history.get(waiting.signature)
      const bank = chain.ledger.bank(waiting.certainty)
      if (!landed || landed.slot > bank.slot) continue
      subscriptions.delete(subscription)
      const result = inContext(bank, { err: landed.failure })
      send({ method: 'signatureNotification', params: { result, subscription } })
    }
  }
  const notifySlot = (slot: bigint) => {
    const result = { parent: slot - 1n, root: chain.ledger.finalSlot, slot }
    for (const [subscription, { kind }] of subscriptions)
      if (kind === 'slot') send({ method: 'slotNotification', params: { result, subscription } })
  }
  const tick = () => {
    chain.ledger.advance(chain.clock.now())
    const { slot } = chain.ledger
    if (slot === lastSlot) return
    lastSlot = slot
    notifySlot(slot)
    notifySignatures()
    stopWithoutWaiters()
  }
  const stopWithoutWaiters = () => {
    if (subscriptions.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const unsubscribe = (kind: Subscription['kind']): Method =>
    method(v.tuple([v.number()]), (_chain, [id]) => {
      if (subscriptions.get(id)?.kind !== kind)
        throw new RpcError(RPC_CODE.invalidParams, 'Invalid subscription id.')
      subscriptions.delete(id)
      stopWithoutWaiters()
      return true
    })

  const known = new Map<string, Method>([
    [
      'signatureSubscribe',
      method(v.tuple([Signature, SignatureConfig]), (_chain, [signature, options]) => {
        const id = subscribe({
          kind: 'signature',
          signature,
          certainty: options?.commitment ?? 'finalized',
        })
        // After the answer with the subscription's number.
        setImmediate(notifySignatures)
        return id
      }),
    ],
    ['signatureUnsubscribe', unsubscribe('signature')],
    ['slotSubscribe', () => subscribe({ kind: 'slot' })],
    ['slotUnsubscribe', unsubscribe('slot')],
  ])

  const stopListening = chain.ledger.onChange(notifySignatures)
  socket.on('message', async (data) => {
    const text = await answer(chain, data.toString(), known)
    if (text !== null) socket.send(text)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopListening()
    clearInterval(timer)
  })
}
