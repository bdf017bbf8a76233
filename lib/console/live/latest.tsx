import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../kit/loaded.tsx'
import { Picture } from '../kit/marks.tsx'
import { Link, Time } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { unreadOf } from './follow.ts'
import { useNews } from './live.tsx'
import { sentenceOf } from './texts.ts'

/** Lists the latest events, newest first. Marks the events that were unread when the list was opened. */
export default function LatestEvents() {
  const { address = '' } = useConnection()
  const { events = [], seen, markSeen } = useNews()
  const [seenBefore] = useState(seen)
  useEffect(markSeen, [events])
  if (events.length === 0)
    return (
      <Empty title="No notifications yet.">
        <p>Hires, charges, ratings and transactions will appear here.</p>
      </Empty>
    )
  const unread = unreadOf(events, seenBefore)
  return (
    <ol class="latest">
      {events.map((event, index) => {
        const { text, view } = sentenceOf(event, address)
        return (
          <li key={event.id} class={index < unread ? 'new' : undefined}>
            {'agentId' in event.data && event.data.agentId !== undefined && (
              <Picture id={event.data.agentId} size={32} />
            )}
            <div>
              <Link to={view}>{text}</Link>
              {index < unread && <span class="visually-hidden"> New.</span>}
              <p class="small">
                <Time at={event.timestamp} />
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
