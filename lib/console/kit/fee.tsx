import { formatCred } from '../../client/index.ts'
import { LEFT_OUT } from '../left-out.ts'
import { useConnection } from '../wallet/connection.tsx'
import { afterFee } from './amounts.ts'
import { useLoaded } from './query.ts'

/** The answer of the service, asked for once. */
let asked: Promise<number> | undefined

/** Reads the protocol fee in basis points; undefined until it is read, and where there are no payments. */
export function useFeeBps(): number | undefined {
  const { client } = useConnection()
  const { loaded } = useLoaded('fee', async () => {
    if (LEFT_OUT.includes('earnings')) return undefined
    asked ??= client.call('GET /payments/deployment').then(({ feeBps }) => feeBps)
    return await asked.catch((error) => {
      asked = undefined
      throw error
    })
  })
  return 'data' in loaded ? loaded.data : undefined
}

/** Says what an owner receives of an amount: `You receive 2.97 of 3 CRED (fee 1%).` */
export function Received({ amount }: { amount: bigint }) {
  const feeBps = useFeeBps()
  if (feeBps === undefined || amount <= 0n) return null
  return (
    <p class="small">
      You receive {formatCred(afterFee(amount, feeBps))} of {formatCred(amount)} CRED (fee {feeBps / 100}
      %).
    </p>
  )
}

/** Says which part of a charge is the service's fee, to its payer or to the owner who receives the rest. */
export function FeeShare({ isOwner = false }: { isOwner?: boolean }) {
  const feeBps = useFeeBps()
  if (feeBps === undefined || feeBps === 0) return null
  return (
    <p class="small">
      {isOwner
        ? `You receive ${(10_000 - feeBps) / 100}% of each charge (fee ${feeBps / 100}%).`
        : `The price includes the service’s fee of ${feeBps / 100}%: you pay nothing on top.`}
    </p>
  )
}
