import { Retry, unreachableWords } from './loaded.tsx'
import { retries, useOutage } from './page-retries.ts'

/** Says once for the page that the service does not answer, or the device is offline, and asks again. */
export function Outage() {
  const outage = useOutage()
  if (!outage) return null
  return (
    <section class="notice failure across" aria-label="Connection">
      <p role="alert">
        <strong>{unreachableWords()}</strong>{' '}
        {navigator.onLine
          ? 'What you see may be out of date.'
          : 'This page refreshes when you are back online.'}
      </p>
      {navigator.onLine && (
        <Retry retry={retries.retryAll} isRetrying={outage.retryAt === undefined} retryAt={outage.retryAt} />
      )}
    </section>
  )
}
