import type { RequestPrice } from '../../../client/generated/types.ts'
import { Cred, Wallet } from '../../kit/text.tsx'
import { formatNumber } from '../../locale.ts'

/**
 * An amount with its unit: CRED, or the smallest units of another token, whose decimals nobody says.
 * @param mint CRED's
 */
export const Amount = ({
  of: { amount, asset },
  mint,
}: {
  of: Pick<RequestPrice, 'amount' | 'asset'>
  mint: string
}) =>
  asset === mint ? (
    <Cred amount={amount} />
  ) : (
    <span>
      {formatNumber(amount)} smallest units of <Wallet address={asset} />
    </span>
  )
