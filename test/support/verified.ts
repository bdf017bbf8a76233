import type { Order } from '../../lib/client/verify/order.ts'
import { verify } from '../../lib/client/verify/verify.ts'
import { deploymentView } from '../../lib/payments/deployment.ts'
import type { Answer, Body, Service } from './service.ts'

/* Every transaction that a test's service builds must pass the client's check. */

const FLOWS: Record<string, Order['flow']> = {
  '/vault/stack': 'stake',
  '/vault/unstack': 'unstake',
  '/vault/claim': 'claim',
  '/vault/leftovers': 'closeAccount',
  '/payments/budgets': 'fund',
  '/payments/budgets/withdraw': 'withdraw',
  '/payments/collectors': 'openPayoutAccount',
  '/payments/collect': 'collect',
  '/payments/credit': 'buyCredit',
}

/** The protocol fee of wrangler.toml. */
const FEE_BPS = 100

/** Verifies the transaction of an answer; does nothing for any other answer. @throws if the client refuses */
export async function verifyBuilt(
  service: Pick<Service, 'settings'>,
  wallet: string,
  path: string,
  ordered: Body,
  { status, body }: Answer,
): Promise<void> {
  const flow = body.step === 'open_vault' ? 'openVault' : FLOWS[path]
  if (!flow || status !== 200) return
  const settings = service.settings()
  const facts = await deploymentView(
    {
      mint: settings.VAULT_MINT ?? '',
      vaultAuthorityAddresses: settings.VAULT_AUTHORITY_ADDRESSES ?? '',
      vaultRecoveryAddresses: settings.VAULT_RECOVERY_ADDRESSES ?? '',
      paymentsAuthorityAddresses: settings.PAYMENTS_AUTHORITY_ADDRESSES ?? '',
    },
    Number(settings.PROTOCOL_FEE_BPS ?? FEE_BPS),
  )
  const order = { ...ordered, flow, amount: BigInt(Number(ordered.amount ?? 0)) }
  verify(
    order as unknown as Order,
    new Uint8Array(Buffer.from(String(body.transaction), 'base64')),
    wallet,
    facts,
  )
}
