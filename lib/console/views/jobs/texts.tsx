import type { Job } from '../../../client/generated/types.ts'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Time } from '../../kit/text.tsx'
import { ofJob } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'

const NAMES = {
  input: 'Input',
  delivery: 'Delivery',
  objection: 'Objection',
  verdict: 'Verdict',
} as const
const KINDS = Object.keys(NAMES) as (keyof typeof NAMES)[]

/**
 * Shows the texts of a job, as far as the reader may read them. They are of strangers: plain text, in which
 * no link works.
 */
export function Texts({ job }: { job: Job }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    `${job.id} ${job.status}`,
    (signal) => client.call('GET /jobs/{id}/texts', { path: { id: job.id }, signal }),
    ofJob(job.id),
  )
  return (
    <section aria-labelledby="brief">
      <h2 id="brief">Brief</h2>
      <Plain text={job.brief || 'Deleted by an operator.'} />
      <Show loaded={loaded} reload={reload}>
        {(texts) => (
          <>
            {KINDS.map((kind) => {
              const found = texts[kind]
              return (
                found && (
                  <div key={kind}>
                    <h2>
                      {NAMES[kind]}{' '}
                      <span class="small">
                        <Time at={found.createdAt} />
                      </span>
                    </h2>
                    <Plain text={found.text} />
                  </div>
                )
              )
            })}
          </>
        )}
      </Show>
    </section>
  )
}

/** Shows a text as its writer sent it. */
export const Plain = ({ text }: { text: string }) => (
  <p class="written" dir="auto">
    {text}
  </p>
)
