import * as v from 'valibot'
import type { WebSocket } from 'ws'
import { toJson } from '../../http/json.ts'
import type { Chain } from './chain.ts'
import type { Failure } from './failures.ts'
import type { Landed } from './history.ts'
import { answer } from './rpc/dispatch.ts'
import { RPC_CODE, RpcError } from './rpc/errors.ts'
import { Commitment, inContext, type Method, method, Signature } from './rpc/params.ts'
import { SLOT_MS } from './slots.ts'

const MAX_SUBSCRIPTIONS_PER_SOCKET = 1_000

const SignatureConfig = v.nullish(
  v.object({ commitment: v.nullish(Commitment), enableReceivedNotification: v.nullish(v.boolean()) }),
)

interface Subscription {
  kind: 'signature' | 'slot'
  /** The signature waited for; empty for slots. */
  signature: string
}

/**
 * Serves the subscriptions of one WebSocket until it closes: signatureSubscribe, which notifies once and
 * ends, and slotSubscribe, which @solana/kit needs to see a blockhash expire. Any other method is -32601.
 * Source: https://solana.com/docs/rpc/websocket
 */
export function serveSubscriptions(chain: Chain, socket: WebSocket): void {
  const subscriptions = new Map<number, Subscription>()
  let nextId = 0
  let slotTimer: NodeJS.Timeout | undefined
  let lastSlot = chain.ledger.slot

  const send = (message: object) => socket.send(toJson({ jsonrpc: '2.0', ...message }))
  const subscribe = (subscription: Subscription): number => {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS_PER_SOCKET)
      throw new RpcError(RPC_CODE.internal, 'Too many subscriptions')
    subscriptions.set(nextId, subscription)
    return nextId++
  }
  const notifySignature = (subscription: number, { failure }: { failure: Failure | null }) => {
    if (!subscriptions.delete(subscription)) return
    const result = inContext(chain, { err: failure })
    send({ method: 'signatureNotification', params: { result, subscription } })
  }
  const notifySlot = () => {
    chain.ledger.advance(chain.clock.now())
    const { slot } = chain.ledger
    if (slot === lastSlot) return
    lastSlot = slot
    const result = { parent: slot - 1n, root: slot, slot }
    for (const [subscription, { kind }] of subscriptions)
      if (kind === 'slot') send({ method: 'slotNotification', params: { result, subscription } })
  }
  const unsubscribe = (kind: Subscription['kind']): Method =>
    method(v.tuple([v.number()]), (_chain, [id]) => {
      if (subscriptions.get(id)?.kind !== kind)
        throw new RpcError(RPC_CODE.invalidParams, 'Invalid subscription id.')
      subscriptions.delete(id)
      if (![...subscriptions.values()].some((one) => one.kind === 'slot')) {
        clearInterval(slotTimer)
        slotTimer = undefined
      }
      return true
    })

  const known = new Map<string, Method>([
    [
      'signatureSubscribe',
      method(v.tuple([Signature, SignatureConfig]), ({ ledger }, [signature]) => {
        const id = subscribe({ kind: 'signature', signature })
        const landed = ledger.history.get(signature)
        // Sent after the answer that has the subscription's number.
        if (landed) setImmediate(() => notifySignature(id, landed))
        return id
      }),
    ],
    ['signatureUnsubscribe', unsubscribe('signature')],
    [
      'slotSubscribe',
      () => {
        slotTimer ??= setInterval(notifySlot, SLOT_MS)
        return subscribe({ kind: 'slot', signature: '' })
      },
    ],
    ['slotUnsubscribe', unsubscribe('slot')],
  ])

  const stopListening = chain.ledger.onChange((landed: Landed | null) => {
    if (!landed) return
    for (const [id, { signature }] of subscriptions)
      if (signature === landed.signature) notifySignature(id, landed)
  })
  socket.on('message', async (data) => {
    const text = await answer(chain, data.toString(), known)
    if (text !== null) socket.send(text)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopListening()
    clearInterval(slotTimer)
  })
}
