import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../kit/action.ts'
import { Button } from '../kit/button.tsx'
import { Failure, Skeleton } from '../kit/loaded.tsx'
import { Menu } from '../kit/menu.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { MAX_KNOWN } from './follow.ts'
import { useNews } from './live.tsx'

/** The header's bell: the number of unread events, and a list of the latest, which is loaded when needed. */
export function Bell() {
  const { address } = useConnection()
  const { unread } = useNews()
  if (address === undefined) return null
  const count = unread < MAX_KNOWN ? String(unread) : `${unread} or more`
  return (
    <>
      {/* Closing marks nothing as seen: the list marks the events that it shows (latest.tsx). */}
      <Menu
        class="bell"
        label={unread > 0 ? `Notifications, ${count} unread` : 'Notifications'}
        button={
          <>
            <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
              <path d="M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7M10 20a2 2 0 0 0 4 0" />
            </svg>
            {unread > 0 && (
              <span class="unread" aria-hidden="true">
                {unread < MAX_KNOWN ? unread : `${unread}+`}
              </span>
            )}
          </>
        }
      >
        {(isOpen) =>
          isOpen && (
            <section class="menu-body" aria-label="Notifications">
              <Latest />
            </section>
          )
        }
      </Menu>
      <p class="visually-hidden" role="status">
        {unread > 0 && `${count} unread ${unread === 1 ? 'notification' : 'notifications'}`}
      </p>
    </>
  )
}

/**
 * Shows the latest events, or asks for a login without a session. The code of the list, latest.tsx, is loaded
 * when the bell is first opened.
 */
function Latest() {
  const { session } = useConnection()
  const { events, error, retry, isOver } = useNews()
  const [List, setList] = useState<ComponentType>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    import('./latest.tsx').then(
      ({ default: list }) => setList(() => list),
      (cause: unknown) => {
        console.error('Notifications could not be loaded:', cause)
        setFailed(true)
      },
    )
  }, [])
  if (hasFailed)
    return (
      <div role="alert">
        <p>Notifications could not be loaded. Check your connection, then reload the page.</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    )
  if (!session || isOver) return <LogIn why="Log in to see activity on your agents and hires." />
  return (
    <>
      {error && <Failure error={error} retry={retry} />}
      {events && List ? <List /> : !error && <Skeleton />}
    </>
  )
}

/** Logs in, which asks the wallet. */
function LogIn({ why }: { why: string }) {
  const { client } = useConnection()
  const { isBusy, error, run } = useAction(async () => {
    await client.login()
  })
  return (
    <>
      <p>{why}</p>
      <Button class="primary" isBusy={isBusy} onClick={run}>
        Log in
      </Button>
      {error && <Failure error={error} />}
    </>
  )
}

/** Says that the session has ended, and lets the visitor log in again. */
export function SessionOver() {
  const { isOver } = useNews()
  if (!isOver) return null
  return (
    <section class="notice across account-gone" role="alert">
      <LogIn why="Your session has ended. Log in again to get notifications." />
    </section>
  )
}
