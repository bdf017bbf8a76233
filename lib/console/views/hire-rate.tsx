import { useState } from 'preact/hooks'
import type { Hire } from '../../client/generated/types.ts'
import { Form } from '../kit/form.tsx'
import { SelectField, TextField } from '../kit/inputs.tsx'
import { Link } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'

const MARKS = {
  5: '5: very good',
  4: '4: good',
  3: '3: neither good nor bad',
  2: '2: bad',
  1: '1: very bad',
} as const

/** Rates a hire that was paid for. */
export function RateForm({ hire }: { hire: Hire }) {
  const { client } = useConnection()
  const [rating, setRating] = useState<`${keyof typeof MARKS}`>('5')
  const [comment, setComment] = useState('')
  const [isDone, setDone] = useState(false)
  async function rate() {
    const words = comment.trim()
    const body = { hireId: hire.id, rating: Number(rating), ...(words && { comment: words }) }
    await client.call('POST /reputation/ratings', { body })
    setDone(true)
  }
  return (
    <Form action={rate} label="Publish the rating">
      <p class="small">
        Everybody can read it. It needs a hire that you have paid for, and weighs by what you paid.
      </p>
      <div class="row">
        <SelectField name="rating" label="Rating" choices={MARKS} value={rating} change={setRating} />
        <TextField name="comment" label="Comment" value={comment} change={setComment} />
      </div>
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
