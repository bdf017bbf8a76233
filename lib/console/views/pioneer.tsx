import { useState } from 'preact/hooks'
import type { PioneerStatus } from '../../client/index.ts'
import { Form } from '../kit/form.tsx'
import { TextField } from '../kit/inputs.tsx'
import { Show } from '../kit/loaded.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Badge, Time, Wallet } from '../kit/text.tsx'
import { ofKinds } from '../live/about.ts'
import { formatNumber } from '../locale.ts'
import { addressOf } from '../router.ts'
import type { ViewProps } from '../views.ts'
import { useConnection } from '../wallet/connection.tsx'

/** Whether the wallet is a pioneer, and the way to become one. `?by=` names who brought the visitor. */
export default function Pioneer({ query }: ViewProps) {
  return (
    <Page
      title="Pioneers"
      lead="The first wallets join by an invite code, one for each. Whoever brings others is named with them."
    >
      <NeedsWallet why="A wallet joins, nobody else.">
        {(wallet) => <Joining wallet={wallet} referrer={query.get('by') ?? ''} />}
      </NeedsWallet>
    </Page>
  )
}

function Joining({ wallet, referrer }: { wallet: string; referrer: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    wallet,
    async (signal) => {
      const [status, { spotsRemaining }] = await Promise.all([
        client.call('GET /pioneer', { query: { user_id: wallet }, signal }),
        client.call('GET /marketplace/stats', { signal }),
      ])
      return { status, spotsRemaining }
    },
    ofKinds('pioneer'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {({ status, spotsRemaining }) =>
        status.isPioneer ? (
          <Joined status={status} wallet={wallet} />
        ) : (
          <>
            <p>
              {spotsRemaining > 0 ? `${formatNumber(spotsRemaining)} spots are left.` : 'No spot is left.'}
            </p>
            {spotsRemaining > 0 && <RedeemForm wallet={wallet} referrer={referrer} changed={reload} />}
          </>
        )
      }
    </Show>
  )
}

const Joined = ({ status, wallet }: { status: PioneerStatus; wallet: string }) => (
  <section aria-labelledby="joined">
    <h2 id="joined">
      You are a pioneer <Badge tone="good">{status.tier}</Badge>
    </h2>
    <dl>
      {status.joinedAt && (
        <>
          <dt>Since</dt>
          <dd>
            <Time at={status.joinedAt} />
          </dd>
        </>
      )}
      {status.referredBy && (
        <>
          <dt>Brought by</dt>
          <dd>
            <Wallet address={status.referredBy} />
          </dd>
        </>
      )}
      <dt>Pioneers you brought</dt>
      <dd>{status.referralBounties ?? 0}</dd>
    </dl>
    <p>
      Whoever has a code of their own can join by your link:{' '}
      <code>{`${location.origin}${addressOf('pioneer')}?by=${wallet}`}</code>
    </p>
  </section>
)

function RedeemForm({
  wallet,
  referrer,
  changed,
}: {
  wallet: string
  referrer: string
  changed: () => void
}) {
  const { client } = useConnection()
  const [inviteCode, setInviteCode] = useState('')
  const [referredBy, setReferredBy] = useState(referrer)
  async function redeem() {
    await client.call('POST /pioneer', {
      body: { inviteCode, walletAddress: wallet, ...(referredBy && { referredBy }) },
    })
    changed()
  }
  return (
    <section aria-labelledby="redeem">
      <h2 id="redeem">Join the pioneers</h2>
      <Form label="Join" isDisabled={inviteCode.trim() === ''} action={redeem}>
        <TextField
          name="inviteCode"
          label="Invite code"
          hint="CRED-XXXXXX-XXXXXX, in capitals or not"
          value={inviteCode}
          change={setInviteCode}
        />
        <TextField
          name="referredBy"
          label="Who brought you (optional)"
          hint="Their wallet’s public key"
          value={referredBy}
          change={setReferredBy}
        />
      </Form>
    </section>
  )
}
