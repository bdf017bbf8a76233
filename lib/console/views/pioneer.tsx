import { useState } from 'preact/hooks'
import type { PioneerStatus } from '../../client/index.ts'
import { Form } from '../kit/form.tsx'
import { TextField } from '../kit/inputs.tsx'
import { Show } from '../kit/loaded.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Badge, Id, Time, Wallet } from '../kit/text.tsx'
import { ofKinds } from '../live/about.ts'
import { formatNumber } from '../locale.ts'
import { addressOf } from '../router.ts'
import type { ViewProps } from '../view-props.ts'
import { useConnection } from '../wallet/connection.tsx'

/** Shows whether the wallet is a pioneer, or how to become one. `?by=` names the inviter. */
export default function Pioneer({ query }: ViewProps) {
  return (
    <Page title="Pioneers" lead="Early adopters join with a single-use invite code and can refer others.">
      <NeedsWallet why="Connect a wallet to join.">
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
              {spotsRemaining > 0 ? `${formatNumber(spotsRemaining)} spots left.` : 'All spots are taken.'}
            </p>
            {spotsRemaining > 0 && <RedeemForm wallet={wallet} referrer={referrer} onChanged={reload} />}
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
          <dt>Joined</dt>
          <dd>
            <Time at={status.joinedAt} />
          </dd>
        </>
      )}
      {status.referredBy && (
        <>
          <dt>Referred by</dt>
          <dd>
            <Wallet address={status.referredBy} />
          </dd>
        </>
      )}
      <dt>Your referrals</dt>
      <dd>{status.referralBounties ?? 0}</dd>
    </dl>
    <p>
      Share your referral link. New pioneers also need an invite code:{' '}
      <Id id={`${location.origin}${addressOf('pioneer')}?by=${wallet}`} name="referral link" />
    </p>
  </section>
)

function RedeemForm({
  wallet,
  referrer,
  onChanged,
}: {
  wallet: string
  referrer: string
  onChanged: () => void
}) {
  const { client } = useConnection()
  const [inviteCode, setInviteCode] = useState('')
  const [referredBy, setReferredBy] = useState(referrer)
  async function redeem() {
    await client.call('POST /pioneer', {
      body: { inviteCode, walletAddress: wallet, ...(referredBy && { referredBy }) },
    })
    onChanged()
  }
  return (
    <section aria-labelledby="redeem">
      <h2 id="redeem">Become a pioneer</h2>
      <Form label="Join" isDisabled={inviteCode.trim() === ''} action={redeem}>
        <TextField
          name="inviteCode"
          label="Invite code"
          hint="For example CRED-XXXXXX-XXXXXX"
          value={inviteCode}
          change={setInviteCode}
        />
        <TextField
          name="referredBy"
          label="Referred by (optional)"
          hint="Their wallet address"
          value={referredBy}
          change={setReferredBy}
        />
      </Form>
    </section>
  )
}
