import { useState } from 'preact/hooks'
import type { Hire } from '../../../client/generated/types.ts'
import type { Client } from '../../../client/index.ts'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred, Link } from '../../kit/text.tsx'
import { ofHire } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'

/** Lets the hirer rate the agent once enough has been collected for the hire; says until then how much it takes. */
export function RateHire({ hire }: { hire: Hire }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    hire.id,
    async (signal) => {
      const { minPaid } = await client.call('GET /reputation/rules', { signal })
      return { minPaid, paid: await collectedFor(client, hire.id, minPaid, signal) }
    },
    ofHire(hire.id, 'charge'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {({ minPaid, paid }) =>
        paid < minPaid ? (
          <p>
            You can rate this agent after <Cred amount={minPaid} /> has been collected for this hire (
            <Cred amount={paid} /> so far).
          </p>
        ) : (
          <RateForm hire={hire} />
        )
      }
    </Show>
  )
}

/** Sums what was collected for a hire, in base units, and stops once that is enough. */
async function collectedFor(
  client: Client,
  hireId: string,
  enough: bigint,
  signal: AbortSignal,
): Promise<bigint> {
  let collected = 0n
  const query = { role: 'hirer', hireId, status: 'collected', limit: 100 } as const
  for await (const { amount } of client.list('GET /payments/charges', { query, signal })) {
    collected += amount
    if (collected >= enough) break
  }
  return collected
}

const MARKS = ['bad', 'poor', 'okay', 'good', 'excellent'] as const

function RateForm({ hire }: { hire: Hire }) {
  const { client } = useConnection()
  const [rating, setRating] = useState<number>()
  const [comment, setComment] = useState('')
  const [isDone, setDone] = useState(false)
  async function rate() {
    if (rating === undefined) return
    const words = comment.trim()
    const body = { hireId: hire.id, rating, ...(words && { comment: words }) }
    await client.call('POST /reputation/ratings', { body })
    setDone(true)
    setRating(undefined)
    setComment('')
  }
  return (
    <Form action={rate} label="Publish rating" isDisabled={rating === undefined}>
      <p class="small">Ratings are public. Yours counts more the more you have paid.</p>
      <fieldset>
        <legend>Rating</legend>
        <div class="boxes words">
          {MARKS.map((words, index) => (
            <label key={words} class="check">
              <input
                type="radio"
                name="rating"
                checked={rating === index + 1}
                onChange={() => setRating(index + 1)}
              />
              {index + 1}: {words}
            </label>
          ))}
        </div>
      </fieldset>
      <TextField name="comment" label="Comment (optional)" value={comment} change={setComment} />
      <p role="status">
        {isDone && (
          <>
            Published on <Link to={`agents/${hire.agent.id}`}>the agent’s page</Link>.
          </>
        )}
      </p>
    </Form>
  )
}
