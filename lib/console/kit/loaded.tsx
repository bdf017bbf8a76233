import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AgentCredError } from '../../client/index.ts'
import { OtherLogins } from '../wallet/other-logins.tsx'
import { Button } from './button.tsx'
import type { Loaded } from './query.ts'
import { Id } from './text.tsx'
import { adviceOn, adviceOnRead, fieldSentence, inCred, spelled } from './words.ts'

/**
 * Shows loaded data, a placeholder of its shape while it is on its way, or why it could not be loaded. An
 * outage is shown once, at the top of the page (outage.tsx).
 */
export function Show<T>({
  loaded,
  reload,
  shape,
  children,
}: {
  loaded: Loaded<T>
  reload: () => void
  shape?: Shape | undefined
  children: (data: T) => ComponentChildren
}) {
  if (loaded.state === 'loading') return <Skeleton shape={shape} />
  const hasFailed = loaded.state === 'failed'
  const isUnreachable = hasFailed && loaded.error.code === 'unreachable'
  // Text typed inside stays when the data is loaded again: it is the same element.
  return (
    <>
      {hasFailed && !isUnreachable && (
        <Failure error={loaded.error} retry={reload} isRetrying={loaded.isAsking} retryAt={loaded.retryAt} />
      )}
      {isUnreachable && loaded.data === undefined && <Skeleton shape={shape} />}
      {loaded.data !== undefined && (
        <div
          class={hasFailed ? 'stale' : loaded.isOther ? 'other' : undefined}
          aria-busy={!hasFailed && !loaded.isFresh}
        >
          {children(loaded.data)}
        </div>
      )}
    </>
  )
}

/** The shape of what is on its way: lines of text, cards beside or below each other, rows of a table, figures. */
export type Shape = 'lines' | 'cards' | 'stack' | 'rows' | 'figures'

/** How many boxes a placeholder of a shape has. */
const BOXES: Record<Shape, number> = { lines: 3, cards: 6, stack: 2, rows: 5, figures: 4 }

/** Says that something is on its way, in its shape. */
export const Skeleton = ({ shape = 'lines' }: { shape?: Shape | undefined }) => (
  <div class={`skeleton of-${shape}`} role="status" aria-label="Loading">
    {Array.from({ length: BOXES[shape] }, (_, index) => (
      <span key={index} />
    ))}
  </div>
)

/**
 * Says what went wrong, in the service's words, and what can be done: by its code, unless `advice` says it.
 * @param retry repeats the read that failed
 * @param isRetrying whether it is being repeated
 * @param retryAt when it is repeated by itself, in Unix milliseconds
 * @param fields the invalid fields to name: by default all
 */
export function Failure({
  error,
  retry,
  isRetrying = false,
  retryAt,
  fields = error.errors,
  advice = (retry ? adviceOnRead : adviceOn)(error.code),
}: {
  error: AgentCredError
  retry?: (() => void) | undefined
  isRetrying?: boolean
  retryAt?: number | undefined
  fields?: AgentCredError['errors'] | undefined
  advice?: string
}) {
  const sentences = fields.map(({ path, message }) => fieldSentence(spelled(path), message))
  const [first = error.code === 'unreachable' ? unreachableWords() : inCred(error.message)] = sentences
  return (
    <div class="notice failure">
      <div role="alert">
        <p>
          <strong>{first}</strong>
        </p>
        {sentences.length > 1 && (
          <ul>
            {sentences.slice(1).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        <p>{advice}</p>
        {error.loginMethods && <OtherLogins refused={error} again={retry} />}
      </div>
      {retry && <Retry retry={retry} isRetrying={isRetrying} retryAt={retryAt} />}
      <Details error={error} />
    </div>
  )
}

/** Says whether the device or the service has no connection. */
export const unreachableWords = (): string =>
  navigator.onLine ? 'AgentCred doesn’t answer.' : 'You are offline.'

/** A button that repeats a read, and when it is repeated without a press. */
export const Retry = ({
  retry,
  isRetrying,
  retryAt,
}: {
  retry: () => void
  isRetrying: boolean
  retryAt: number | undefined
}) => (
  <div class="row">
    <Button isBusy={isRetrying} onClick={retry}>
      Try again
    </Button>
    {retryAt !== undefined && <Countdown to={retryAt} />}
  </div>
)

/** Says in how many seconds or minutes a read is repeated. */
function Countdown({ to }: { to: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [to])
  const seconds = Math.max(1, Math.ceil((to - now) / 1_000))
  const wait = seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return <span class="small">Trying again in {wait}</span>
}

/** The code of an error and the id of its request, for a report to the operator. */
const Details = ({ error: { code, requestId } }: { error: AgentCredError }) => (
  <details class="small">
    <summary>Details</summary>
    <div>
      Error code: <code>{code}</code>
    </div>
    {requestId && (
      <div>
        Request ID: <Id id={requestId} name="request ID" />
      </div>
    )}
  </details>
)

/** Says that a list is empty, and what would put an entry there. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="notice empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
)
