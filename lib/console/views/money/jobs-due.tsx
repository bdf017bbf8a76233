import type { Job } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Steps } from '../../kit/steps.tsx'
import { Link } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { afterFee, endWords } from '../jobs/words.ts'
import type { Side } from './filter.ts'

/**
 * Lists ended jobs whose escrows owe the wallet its part, each with the button that gets it.
 * @param due the sum of these parts; another one loads the list again
 */
export function JobsDue({ side, due, onPaid }: { side: Side; due: bigint; onPaid: () => void }) {
  const { client, address = '' } = useConnection()
  const { run, check, start, isBusy } = useTransaction(`jobs of ${side}`, onPaid)
  const isOwner = side === 'owner'
  const pay = ({ id: jobId, feeBps, hirerAmount }: Job) =>
    start(
      (flow) =>
        isOwner
          ? client.collectJobs({ jobId, feeBps }, flow)
          : client.refundJob({ jobId, atLeast: hirerAmount }, flow),
      jobId,
    )
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{isOwner ? 'To collect from jobs' : 'To get back from jobs'}</h2>
      <p>
        {isOwner
          ? 'These jobs have ended. Your part waits in their escrows until you collect it.'
          : 'These jobs have ended. What they did not cost waits in their escrows until you get it back.'}
      </p>
      <Listed
        listKey={`${address} ${side} ${due}`}
        shape="cards"
        ask={async (cursor, signal) => {
          const query = { role: isOwner ? 'agent' : 'hirer', due: true, cursor } as const
          const { jobs, nextCursor } = await client.call('GET /jobs', { query, signal })
          return { entries: jobs, nextCursor }
        }}
        isAbout={ofKinds('job')}
        empty={<Empty title="Nothing is left in the escrows of ended jobs." />}
      >
        {(jobs) => (
          <ul class="cards" aria-label="Jobs">
            {jobs.map((job) => (
              <li key={job.id} class="card">
                <h3>
                  <Link to={`jobs/${job.id}`}>{job.title || 'Deleted by an operator'}</Link>
                </h3>
                <p class="small">
                  {job.agentName}. {endWords(job)}
                </p>
                <Button isBusy={isBusy} onClick={() => pay(job)}>
                  {isOwner
                    ? `Collect ${formatCred(afterFee(job.agentAmount ?? 0n, job))} CRED`
                    : `Get back ${formatCred(job.hirerAmount ?? 0n)} CRED`}
                </Button>
                {run.place === job.id && run.state !== 'landed' && <Steps run={run} check={check} />}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {/* A job that is paid leaves the list. */}
      {run.state === 'landed' && <Steps run={run} check={check} />}
    </section>
  )
}
