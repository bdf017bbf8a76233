import { useState } from 'preact/hooks'
import type { Job } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred, Id, Link, Time, Wallet } from '../../kit/text.tsx'
import { type Transaction, useTransaction } from '../../kit/transaction.tsx'
import { ofJob } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { UUID } from '../agents/fields.ts'
import { NotThere } from '../not-found.tsx'
import { Acts } from './acts.tsx'
import { JobStatus } from './facts.tsx'
import { MoneyActs } from './money-acts.tsx'
import { Texts } from './texts.tsx'
import {
  afterFee,
  afterFeeWords,
  capital,
  durationWords,
  endWords,
  gotWords,
  judgeName,
  judgeWords,
  nextOf,
  type Role,
  splitWords,
} from './words.ts'

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
  <Page title="Job not found">
    <NotThere title="This job does not exist, or it belongs to other wallets." to={['jobs', 'your jobs']} />
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
        {(job) => <Parts job={job} reload={reload} />}
      </Show>
    </Page>
  )
}

/** The parts of the page. It confirms the reader's last act until the next one. */
function Parts({ job, reload }: { job: Job; reload: () => void }) {
  const [done, setDone] = useState('')
  const transaction = useTransaction(`job ${job.id}`, reload)
  const start: Transaction['start'] = (flow) => {
    setDone('')
    transaction.start(flow)
  }
  const onActed = (words = '') => {
    transaction.clear()
    setDone(words)
    reload()
  }
  return (
    <>
      <Now job={job} />
      <p role="status">{done !== '' && <strong>{done}</strong>}</p>
      <MoneyActs job={job} transaction={{ ...transaction, start }} />
      <Texts job={job} />
      <Acts job={job} onActed={onActed} />
      <Times job={job} />
      <Money job={job} />
      <Facts job={job} />
    </>
  )
}

const ROLES: Record<Role, (job: Job) => string> = {
  hirer: () => 'You ordered this job.',
  agent: () => 'A job for your agent.',
  judge: ({ status, endedAt, judge }) =>
    status === 'disputed'
      ? 'You can judge this job.'
      : !endedAt
        ? 'You can judge this job if its hirer objects.'
        : judge === 'deployment'
          ? 'You are a judge of this service.'
          : 'You were the judge of this job.',
}

const Lead = ({ job }: { job: Job }) => (
  <>
    <JobStatus job={job} /> {ROLES[job.role](job)}
  </>
)

/** Says what the job waits for, by when, and what happens otherwise; or how it ended. */
function Now({ job }: { job: Job }) {
  const next = nextOf(job)
  return (
    <div class="notice" role="status">
      {next ? (
        <p>
          <strong>
            {next.words}
            {next.by && (
              <>
                {' '}
                by <Time at={next.by} />
              </>
            )}
            .
          </strong>{' '}
          Otherwise {next.otherwise}.
        </p>
      ) : (
        <p>
          <strong>{endWords(job)}</strong>{' '}
          {job.agentAmount !== undefined && `${capital(splitWords(job, job.agentAmount))}.`} {gotWords(job)}
        </p>
      )}
    </div>
  )
}

/** Shows what has happened, also to the money, and the deadline of what is next. */
function Times({ job }: { job: Job }) {
  const { price, role, agentAmount = 0n, hirerAmount = 0n } = job
  const next = nextOf(job)
  const past = [
    { words: 'Ordered', at: job.createdAt },
    { words: 'Accepted', at: job.acceptedAt },
    { words: `${formatCred(price)} CRED paid into the escrow`, at: job.fundedAt },
    { words: 'Delivered', at: job.deliveredAt },
    { words: 'Objection', at: job.disputedAt },
    { words: `Ended: ${endWords(job)}`, at: job.endedAt },
    {
      words: `${formatCred(hirerAmount)} CRED returned to ${role === 'hirer' ? 'you' : 'the hirer'}`,
      at: job.refundedAt,
    },
    {
      words: `${formatCred(afterFee(agentAmount, job))} CRED paid to ${role === 'agent' ? 'you' : 'the agent’s owner'}`,
      at: job.paidAt,
    },
    { words: 'Escrow closed', at: job.escrowClosedAt },
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
          {next?.by && (
            <li class="ahead">
              {next.words}{' '}
              <span class="small">
                by <Time at={next.by} />
              </span>
            </li>
          )}
        </ol>
      </div>
    </section>
  )
}

/** Shows the price, where it is, and who gets what of it. */
function Money({ job }: { job: Job }) {
  const { role, agentAmount, hirerAmount, judge } = job
  const isWallet = judge !== 'none' && judge !== 'deployment'
  return (
    <section aria-labelledby="money">
      <h2 id="money">Money</h2>
      <dl>
        <dt>Price</dt>
        <dd>
          <Cred amount={job.price} />{' '}
          <span class="small">
            {job.fundedAt ? !job.endedAt && 'in the escrow' : job.endedAt ? 'never paid' : 'not paid yet'}
          </span>
        </dd>
        {agentAmount !== undefined && (
          <>
            <dt>{role === 'agent' ? 'You get' : 'The agent gets'}</dt>
            <dd>
              {afterFeeWords(agentAmount, job)}
              {agentAmount > 0n && <Moved at={job.paidAt} done="paid" waits="not collected yet" />}
            </dd>
          </>
        )}
        {hirerAmount !== undefined && (
          <>
            <dt>{role === 'hirer' ? 'You get back' : 'The hirer gets back'}</dt>
            <dd>
              <Cred amount={hirerAmount} />
              {hirerAmount > 0n && <Moved at={job.refundedAt} done="returned" waits="still in the escrow" />}
            </dd>
          </>
        )}
        {!job.endedAt && (
          <>
            <dt>{role === 'agent' ? 'You get' : 'The agent gets'}</dt>
            <dd>{afterFeeWords(job.price, job)}, unless the job ends otherwise</dd>
          </>
        )}
        <dt>Judge</dt>
        <dd>
          {isWallet ? <Wallet address={judge} /> : job.endedAt && judgeName(judge)}{' '}
          {!job.endedAt && judgeWords(judge, role)}
        </dd>
      </dl>
    </section>
  )
}

/** Says when a part of the price reached its side, or that it waits. */
const Moved = ({ at, done, waits }: { at: string | undefined; done: string; waits: string }) => (
  <span class="small">
    {' '}
    {at ? (
      <>
        {done} <Time at={at} />
      </>
    ) : (
      waits
    )}
  </span>
)

const Facts = ({ job }: { job: Job }) => (
  <section aria-labelledby="facts">
    <h2 id="facts">Terms</h2>
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
      <dt>Time to deliver</dt>
      <dd>{durationWords(job.workMinutes)} from the payment</dd>
      <dt>Time to review</dt>
      <dd>{durationWords(job.reviewMinutes)} from the delivery</dd>
    </dl>
    <Disclosure summary="Details">
      <dl>
        <dt>Job ID</dt>
        <dd>
          <Id id={job.id} name="job ID" />
          <p class="small">Names the job in the API.</p>
        </dd>
        <dt>Reference</dt>
        <dd>
          <Id id={job.reference} name="reference" />
          <p class="small">The hirer’s own name for the order.</p>
        </dd>
        <dt>Terms hash</dt>
        <dd>
          <Id id={job.termsHash} name="terms hash" />
          <p class="small">A fingerprint of all terms: whoever accepts or pays agrees to exactly these.</p>
        </dd>
        {job.deliveryHash && (
          <>
            <dt>Delivery hash</dt>
            <dd>
              <Id id={job.deliveryHash} name="delivery hash" />
              <p class="small">A fingerprint of the delivery, which proves later what was delivered.</p>
            </dd>
          </>
        )}
      </dl>
    </Disclosure>
  </section>
)
