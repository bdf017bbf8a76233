import type { ComponentChildren } from 'preact'
import type { AgentCredError } from '../../client/index.ts'
import { OtherLogins } from '../wallet/other-logins.tsx'
import type { Loaded } from './query.ts'
import { Id } from './text.tsx'
import { adviceOn, adviceOnRead } from './words.ts'

/** Shows loaded data, a placeholder while it is on its way, or why it could not be loaded. */
export function Show<T>({
  loaded,
  reload,
  children,
}: {
  loaded: Loaded<T>
  reload: () => void
  children: (data: T) => ComponentChildren
}) {
  if (loaded.state === 'loading') return <Skeleton />
  const hasFailed = loaded.state === 'failed'
  // Text typed inside stays when the data is loaded again: it is the same element.
  return (
    <>
      {hasFailed && <Failure error={loaded.error} retry={reload} />}
      {loaded.data !== undefined && (
        <div class={hasFailed ? 'stale' : undefined} aria-busy={!hasFailed && !loaded.isFresh}>
          {children(loaded.data)}
        </div>
      )}
    </>
  )
}

/** Says that something is on its way. */
export const Skeleton = () => (
  <div class="skeleton" role="status" aria-label="Loading">
    <span /> <span /> <span />
  </div>
)

/**
 * Says what went wrong, in the service's words, and what can be done: by its code, unless `advice` says it.
 * @param retry repeats the read that failed
 */
export function Failure({
  error,
  retry,
  advice = (retry ? adviceOnRead : adviceOn)(error.code),
}: {
  error: AgentCredError
  retry?: (() => void) | undefined
  advice?: string
}) {
  const isOffline = error.code === 'unreachable'
  return (
    <div class="notice failure" role="alert">
      <p>
        <strong>
          {isOffline ? (navigator.onLine ? 'Can’t reach the service.' : 'You are offline.') : error.message}
        </strong>
      </p>
      <p>{advice}</p>
      {error.loginMethods && <OtherLogins refused={error} again={retry} />}
      {error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        <code>{error.code}</code>
        {error.requestId && (
          <>
            {' '}
            · request <Id id={error.requestId} name="request ID" />
          </>
        )}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Says that a list is empty, and what would put an entry there. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="notice empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
)
