import { Cred, Wallet } from '../../kit/text.tsx'
import { formatNumber } from '../../locale.ts'

/**
 * An amount of a token with its unit: CRED, or the smallest units of another token, because the service does
 * not know its decimals.
 * @param asset the mint of the token; undefined for CRED
 * @param mint the mint of CRED
 */
export const Amount = ({
  amount,
  asset,
  mint,
}: {
  amount: bigint
  asset: string | undefined
  mint?: string | undefined
}) =>
  asset === undefined || asset === mint ? (
    <Cred amount={amount} />
  ) : (
    <span>
      {formatNumber(amount)} smallest units of <Wallet address={asset} />
    </span>
  )
