import type { Job } from '../../../client/generated/types.ts'
import { Show } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred, Id, Link, Time, Wallet } from '../../kit/text.tsx'
import { ofJob } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { UUID } from '../agents/fields.ts'
import { NotThere } from '../not-found.tsx'
import { Acts } from './acts.tsx'
import { JobStatus } from './facts.tsx'
import { MoneyActs } from './money-acts.tsx'
import { Texts } from './texts.tsx'
import { afterFee, durationWords, endWords, judgeWords, nextOf, splitWords } from './words.ts'

/** A job, for its hirer, the agent's owner and its judge: each sees what it may do. */
export function OneJob({ id }: { id: string }) {
  const { address } = useConnection()
  if (!UUID.test(id)) return <NoJob />
  return address === undefined ? (
    <Page title="Job">
      <NeedsWallet why="Connect a wallet to see this job.">{() => null}</NeedsWallet>
    </Page>
  ) : (
    <Known key={address} id={id} />
  )
}

const NoJob = () => (
  <Page title="Job">
    <NotThere title="This job does not exist, or it belongs to other wallets." />
  </Page>
)

function Known({ id }: { id: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    id,
    (signal) => client.call('GET /jobs/{id}', { path: { id }, signal }),
    ofJob(id),
  )
  const job = 'data' in loaded ? loaded.data : undefined
  if (loaded.state === 'failed' && !job && loaded.error.code === 'job_not_found') return <NoJob />
  return (
    <Page
      title={job ? job.title || 'Deleted by an operator' : 'Job'}
      lead={job && <Lead job={job} />}
      beside={job && <Picture id={job.agentId} size={72} />}
    >
      <Show loaded={loaded} reload={reload}>
        {(job) => (
          <>
            <Now job={job} />
            <MoneyActs job={job} onChanged={reload} />
            <Texts job={job} />
            <Acts job={job} onChanged={reload} />
            <Times job={job} />
            <Money job={job} />
            <Facts job={job} />
          </>
        )}
      </Show>
    </Page>
  )
}

const ROLES = {
  hirer: 'You ordered this job.',
  agent: 'A job for your agent.',
  judge: 'You can judge this job.',
} as const

const Lead = ({ job }: { job: Job }) => (
  <>
    <JobStatus job={job} /> {ROLES[job.role]}
  </>
)

/** Says what the job waits for, until when, and what happens otherwise; or how it ended. */
function Now({ job }: { job: Job }) {
  const next = nextOf(job)
  return (
    <div class="notice" role="status">
      {next ? (
        <p>
          <strong>
            {next.words}
            {next.until && (
              <>
                {' '}
                until <Time at={next.until} />
              </>
            )}
            .
          </strong>{' '}
          {next.otherwise}
        </p>
      ) : (
        <p>
          <strong>{endWords(job)}</strong>{' '}
          {job.agentAmount !== undefined && splitWords(job.price, job.agentAmount)}
        </p>
      )}
    </div>
  )
}

/** Shows what has happened, and the deadline of what is next. */
function Times({ job }: { job: Job }) {
  const next = nextOf(job)
  const past = [
    { words: 'Ordered', at: job.createdAt },
    { words: 'Accepted', at: job.acceptedAt },
    { words: 'Price paid into the escrow', at: job.fundedAt },
    { words: 'Delivered', at: job.deliveredAt },
    { words: 'Objection', at: job.disputedAt },
    { words: `Ended: ${endWords(job)}`, at: job.endedAt },
  ].flatMap(({ words, at }) => (at ? [{ words, at }] : []))
  return (
    <section aria-labelledby="times">
      <h2 id="times">Time line</h2>
      <div class="steps">
        <ol>
          {past.map(({ words, at }) => (
            <li key={words}>
              {words}{' '}
              <span class="small">
                <Time at={at} />
              </span>
            </li>
          ))}
          {next?.until && (
            <li class="ahead">
              {next.words}{' '}
              <span class="small">
                until <Time at={next.until} />
              </span>
            </li>
          )}
        </ol>
      </div>
    </section>
  )
}

/** Shows the price, and who gets what of it. */
const Money = ({ job }: { job: Job }) => (
  <section aria-labelledby="money">
    <h2 id="money">Money</h2>
    <dl>
      <dt>Price</dt>
      <dd>
        <Cred amount={job.price} />{' '}
        <span class="small">
          {job.fundedAt ? 'paid into the escrow' : job.endedAt ? 'never paid' : 'not paid yet'}
        </span>
      </dd>
      {job.agentAmount !== undefined && (
        <>
          <dt>Agent gets</dt>
          <dd>
            <Cred amount={job.agentAmount} />
            {job.agentAmount > 0n && (
              <span class="small">
                {' '}
                of which <Cred amount={afterFee(job.agentAmount, job)} /> after the fee
              </span>
            )}
          </dd>
        </>
      )}
      {job.hirerAmount !== undefined && (
        <>
          <dt>Hirer gets back</dt>
          <dd>
            <Cred amount={job.hirerAmount} />
          </dd>
        </>
      )}
      <dt>Fee</dt>
      <dd>{job.feeBps / 100}% of what the agent gets</dd>
      <dt>Judge</dt>
      <dd>
        {job.judge !== 'none' && job.judge !== 'deployment' && <Wallet address={job.judge} />}{' '}
        {judgeWords(job.judge)}
      </dd>
    </dl>
  </section>
)

const Facts = ({ job }: { job: Job }) => (
  <section aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl>
      <dt>Agent</dt>
      <dd>
        <Link to={`agents/${job.agentId}`}>{job.agentName}</Link>
      </dd>
      <dt>Hirer</dt>
      <dd>
        <Wallet address={job.hirer} />
      </dd>
      <dt>Agent’s owner</dt>
      <dd>
        <Wallet address={job.owner} />
      </dd>
      <dt>Time to work</dt>
      <dd>{durationWords(job.workMinutes)} from the payment</dd>
      <dt>Time to review</dt>
      <dd>{durationWords(job.reviewMinutes)} from the delivery</dd>
      <dt>Reference</dt>
      <dd>
        <Id id={job.reference} name="reference" />
      </dd>
      <dt>Terms hash</dt>
      <dd>
        <Id id={job.termsHash} name="terms hash" />
      </dd>
      {job.deliveryHash && (
        <>
          <dt>Delivery hash</dt>
          <dd>
            <Id id={job.deliveryHash} name="delivery hash" />
          </dd>
        </>
      )}
      <dt>Job ID</dt>
      <dd>
        <Id id={job.id} name="job ID" />
      </dd>
    </dl>
  </section>
)
