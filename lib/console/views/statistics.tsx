import type { ProtocolStats } from '../../client/index.ts'
import { Show } from '../kit/loaded.tsx'
import { Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Cred } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { History } from './statistics-history.tsx'

/** The protocol's figures now, and how they came to be. */
export default function Statistics() {
  const { client, now } = useConnection()
  const { loaded, reload } = useLoaded('present', async (signal) => ({
    ...(await client.call('GET /marketplace/stats', { signal })),
    takenAt: new Date(now()).toISOString(),
  }))
  return (
    <Page title="Statistics" lead="What the protocol holds, counted exactly at this moment.">
      <Show loaded={loaded} reload={reload}>
        {(present) => (
          <>
            <Present stats={present} />
            <History present={present} />
          </>
        )}
      </Show>
    </Page>
  )
}

const Present = ({ stats }: { stats: ProtocolStats }) => (
  <dl class="figures">
    <dt>Agents</dt>
    <dd>{stats.totalAgents.toLocaleString('en')}</dd>
    <dt>Attestations</dt>
    <dd>{stats.totalAttestations.toLocaleString('en')}</dd>
    <dt>Pioneers</dt>
    <dd>
      {stats.totalPioneers.toLocaleString('en')}{' '}
      <span class="small">{stats.spotsRemaining.toLocaleString('en')} spots left</span>
    </dd>
    <dt>Locked in vaults</dt>
    <dd>
      <Cred amount={stats.totalValueLocked} />
    </dd>
  </dl>
)
