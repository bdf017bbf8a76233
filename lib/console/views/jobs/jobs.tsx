import type { ComponentChildren } from 'preact'
import type { Job } from '../../../client/generated/types.ts'
import { waits } from '../../kit/due.ts'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty, Skeleton } from '../../kit/loaded.tsx'
import { Listed, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { ofWallet, Sections } from '../../kit/sections.tsx'
import { type Columns, Table } from '../../kit/table.tsx'
import { Address, Cred, Link, Time } from '../../kit/text.tsx'
import { ofKinds } from '../../live/about.ts'
import { show } from '../../router.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { JobStatus } from './facts.tsx'
import { OneJob } from './job.tsx'
import { NewJob } from './new-job.tsx'
import { capital, endWords, gotWords, nextOf, payoutOf, type Role, STATUSES } from './words.ts'

/** The lists of the wallet's jobs, the order of a new one, or the job that the address names. */
export default function JobsView(props: ViewProps) {
  const { id } = props
  if (id === 'new') return <NewJob query={props.query} />
  if (id === undefined) return <Opening {...props} />
  return id in SECTIONS ? <Lists {...props} /> : <OneJob id={id} />
}

const Lists = (props: ViewProps) => (
  <Sections
    title="Jobs"
    lead="One piece of work each: ordered for a price, which waits in an escrow until the work is delivered."
    view="jobs"
    sections={SECTIONS}
    opens
    props={props}
  />
)

/** Opens the list in which a job waits for the wallet; else the first one that has a job. */
function Opening(props: ViewProps) {
  const { client, address } = useConnection()
  const { loaded } = useLoaded(address ?? '', async (signal) => {
    const filled: string[] = []
    if (address === undefined) return undefined
    for (const [id, { role }] of Object.entries(SECTIONS)) {
      const { jobs } = await client.call('GET /jobs', { query: { role, limit: MAX_READ }, signal })
      if (jobs.some(waits)) return id
      if (jobs.length > 0) filled.push(id)
    }
    return filled[0]
  })
  if (loaded.state === 'loading')
    return (
      <Page title="Jobs">
        <Skeleton />
      </Page>
    )
  // An error is shown with the list, which asks again.
  return <Lists {...props} id={'data' in loaded ? loaded.data : undefined} />
}

/** The number of newest jobs that are looked through for one that waits. */
const MAX_READ = 100

const SECTIONS = {
  ordered: {
    role: 'hirer',
    title: 'Jobs you ordered',
    Body: listOf('hirer', 'Connect a wallet to see the jobs that you ordered.', {
      title: 'You have not ordered a job yet.',
      next: (
        <>
          Find an agent in <Link to="market">the market</Link>, and choose “Order a job” on its page.
        </>
      ),
    }),
  },
  todo: {
    role: 'agent',
    title: 'Jobs to do',
    Body: listOf('agent', 'Connect a wallet to see the jobs of your agents.', {
      title: 'Nobody has ordered a job of your agents yet.',
      next: (
        <>
          Open one of <Link to="agents">your agents</Link>, and choose “Accept jobs” there.
        </>
      ),
    }),
  },
  judging: {
    role: 'judge',
    title: 'Jobs to judge',
    Body: listOf('judge', 'Connect a wallet to see the jobs that you judge.', {
      title: 'Nothing to judge.',
      next: 'A job that names you as its judge appears here once its hirer objects to the delivery.',
    }),
  },
} as const

/** Makes the list of the jobs in which the wallet has a role. */
function listOf(role: Role, why: string, empty: { title: string; next: ComponentChildren }) {
  return ofWallet(why, ({ wallet, query }) => (
    <Jobs wallet={wallet} role={role} query={query} empty={empty} />
  ))
}

const CHOICES = {
  all: 'All',
  ...(Object.fromEntries(Object.entries(STATUSES).map(([status, { words }]) => [status, capital(words)])) as {
    [Status in Job['status']]: string
  }),
}

const PATHS: Record<Role, string> = { hirer: 'jobs/ordered', agent: 'jobs/todo', judge: 'jobs/judging' }

function Jobs({
  wallet,
  role,
  query,
  empty,
}: {
  wallet: string
  role: Role
  query: URLSearchParams
  empty: { title: string; next: ComponentChildren }
}) {
  const { client } = useConnection()
  const wanted = query.get('status') ?? ''
  const status = wanted in STATUSES ? (wanted as Job['status']) : undefined
  return (
    <>
      {/* A judge sees disputed jobs only. */}
      {role !== 'judge' && (
        <SelectField
          name="status"
          label="Status"
          choices={CHOICES}
          value={status ?? 'all'}
          change={(choice) =>
            show(choice === 'all' ? PATHS[role] : `${PATHS[role]}?status=${choice}`, { replace: true })
          }
        />
      )}
      <Listed
        listKey={`${wallet} ${role}`}
        filter={status}
        ask={async (cursor, signal) => {
          const { jobs, nextCursor } = await client.call('GET /jobs', {
            query: { role, status, cursor },
            signal,
          })
          return { entries: jobs, nextCursor }
        }}
        isAbout={ofKinds('job')}
        empty={
          status ? (
            <Empty title="No jobs with this status." />
          ) : (
            <Empty title={empty.title}>
              <p>{empty.next}</p>
            </Empty>
          )
        }
      >
        {(jobs) => <Table caption="Jobs" columns={columnsOf(role)} rows={jobs} keyOf={({ id }) => id} />}
      </Listed>
    </>
  )
}

const columnsOf = (role: Role): Columns<Job> => [
  {
    head: 'Job',
    cell: ({ id, title, agentName, hirer }) => (
      <>
        <Link to={`jobs/${id}`}>{title || 'Deleted by an operator'}</Link>
        <p class="small">
          {role === 'hirer' ? (
            agentName
          ) : (
            <>
              for {agentName}, by <Address address={hirer} />
            </>
          )}
        </p>
      </>
    ),
  },
  { head: 'Status', cell: (job) => <JobStatus job={job} /> },
  { head: 'Next', cell: (job) => <Next job={job} /> },
  { head: 'Price', cell: ({ price }) => <Cred amount={price} /> },
  { head: 'Ordered', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Says what the reader can do about a job, by when; else what it waits for, or how it ended. */
function Next({ job }: { job: Job }) {
  const next = nextOf(job)
  const payout = payoutOf(job)
  if (payout !== undefined || !next)
    return (
      <div>
        {payout && <strong>{payout}</strong>}
        <p class="small">
          {endWords(job)} {payout === undefined && gotWords(job)}
        </p>
      </div>
    )
  return (
    <div>
      {next.isOwn ? <strong>{next.words}</strong> : next.words}
      {next.by && (
        <p class="small">
          by <Time at={next.by} />
          {next.isOwn && `, or ${next.otherwise}`}
        </p>
      )}
    </div>
  )
}
