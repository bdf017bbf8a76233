import { useState } from 'preact/hooks'
import type { ProtocolStats } from '../../client/index.ts'
import { SelectField } from '../kit/inputs.tsx'
import { Show } from '../kit/loaded.tsx'
import { Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Cred } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { History } from './statistics-history.tsx'

const PERIODS = { 7: 'a week', 30: 'a month', 90: 'three months', 365: 'a year' }
type Period = keyof typeof PERIODS

/** The protocol's figures now, and how they came to be. */
export default function Statistics() {
  const { client } = useConnection()
  const [period, setPeriod] = useState<`${Period}`>('30')
  const { loaded, reload } = useLoaded(period, async (signal) => {
    const [present, { days }] = await Promise.all([
      client.call('GET /marketplace/stats', { signal }),
      client.call('GET /marketplace/stats/history', { query: { days: Number(period) }, signal }),
    ])
    return { present, days, readAt: new Date() }
  })
  return (
    <Page title="Statistics" lead="What the protocol holds, counted exactly at this moment.">
      <SelectField name="days" label="Period" value={period} change={setPeriod} choices={PERIODS} />
      <Show loaded={loaded} reload={reload}>
        {({ present, days, readAt }) => (
          <>
            <Present stats={present} />
            <History present={present} days={days} readAt={readAt} />
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
