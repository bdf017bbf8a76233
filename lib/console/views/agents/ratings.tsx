import { useState } from 'preact/hooks'
import type { Agent, Rating } from '../../../client/generated/types.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Stars } from '../../kit/marks.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Cred, Time, Wallet } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'

/** Shows the ratings of an agent by its payers, with its owner's answers. */
export function AgentRatings({ agent, isOwner }: { agent: Agent; isOwner: boolean }) {
  const { client } = useConnection()
  return (
    <section aria-labelledby="ratings">
      <h2 id="ratings">Ratings</h2>
      <Listed
        listKey={`ratings ${agent.id}`}
        shape="cards"
        ask={async (cursor, signal) => {
          const query = { agentId: agent.id, cursor }
          const { ratings, nextCursor } = await client.call('GET /reputation/ratings', { query, signal })
          return { entries: ratings, nextCursor }
        }}
        isAbout={ofAgent(agent.id, 'rating')}
        empty={
          <Empty title="No ratings yet.">
            <p>Wallets that have paid enough for its work can rate this agent.</p>
          </Empty>
        }
      >
        {(ratings, reload) => (
          <ul class="cards">
            {ratings.map((rating) => (
              <li key={rating.id} class="card">
                <Rated rating={rating} />
                {isOwner && rating.answer === undefined && (
                  <Disclosure summary="Reply">
                    <AnswerForm rating={rating} onAnswered={reload} />
                  </Disclosure>
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </section>
  )
}

const Rated = ({ rating }: { rating: Rating }) => (
  <>
    <h3>
      <Stars rating={rating.rating} />
    </h3>
    {rating.comment && <p>{rating.comment}</p>}
    <p class="small">
      <Wallet address={rating.wallet} /> paid <Cred amount={rating.paid} /> ·{' '}
      <Time at={rating.revisedAt ?? rating.createdAt} />
      {rating.revisedAt && ', edited'}
    </p>
    {rating.answer && (
      <blockquote>
        <p>{rating.answer}</p>
        <p class="small">
          Reply from the owner
          {rating.answeredAt && (
            <>
              , <Time at={rating.answeredAt} />
            </>
          )}
        </p>
      </blockquote>
    )}
  </>
)

function AnswerForm({ rating, onAnswered }: { rating: Rating; onAnswered: () => void }) {
  const { client } = useConnection()
  const [answer, setAnswer] = useState('')
  async function send() {
    await client.call('POST /reputation/ratings/{id}/answer', { path: { id: rating.id }, body: { answer } })
    onAnswered()
  }
  return (
    <Form action={send} label="Publish reply" isDisabled={answer.trim() === ''}>
      <TextField
        name="answer"
        label="Your reply"
        hint="Public, up to 500 characters"
        value={answer}
        change={setAnswer}
      />
    </Form>
  )
}
