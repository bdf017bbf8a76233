import { useEffect, useRef } from 'preact/hooks'
import { development } from '../development.ts'
import { useAction } from '../kit/action.ts'
import { Button } from '../kit/button.tsx'
import { Failure } from '../kit/loaded.tsx'
import { fetchText, useLoaded } from '../kit/query.ts'

/** The state of the local platform's example market (lib/cli/example/offer.ts). */
type OfferState =
  | { state: 'offered' | 'taken' | 'made' | 'failed' }
  | { state: 'filling'; day: number; days: number }

/** Time between two requests for the progress of filling a market. */
const POLL_MS = 500

/**
 * Offers to fill a local platform's empty market with examples, and shows how far that is. A deployment's
 * build has nothing of it.
 */
export function ExampleMarket() {
  const { loaded } = useLoaded('example market', async (signal) => (await development(signal)).exampleUrl)
  return 'data' in loaded && loaded.data ? <Offer url={loaded.data} /> : null
}

/** Calls only `url`: while the market is filled, the platform restarts. */
function Offer({ url }: { url: string }) {
  const { loaded, reload } = useLoaded(url, async (signal): Promise<OfferState | undefined> => {
    const text = await fetchText(url, signal)
    return text && JSON.parse(text)
  })
  const offer = 'data' in loaded ? loaded.data : undefined
  const { isBusy, error, run } = useAction(async () => {
    await fetch(url, { method: 'POST' })
    reload()
  })
  const wasFilling = useRef(false)
  useEffect(() => {
    // The page was loaded from the platform as it was before.
    if (offer?.state === 'made' && wasFilling.current) location.reload()
    if (offer?.state !== 'filling') return
    wasFilling.current = true
    const timer = setTimeout(reload, POLL_MS)
    return () => clearTimeout(timer)
  }, [offer, reload])
  switch (offer?.state) {
    case 'filling':
      return (
        <p role="status">
          Restarting with sample data (day {offer.day} of {offer.days})…
        </p>
      )
    case 'failed':
      return <p role="alert">Sample data could not be added. See the terminal for the reason.</p>
    case 'offered':
      return (
        <>
          <Button isBusy={isBusy} onClick={run}>
            Fill with sample data
          </Button>
          {error && <Failure error={error} />}
        </>
      )
    default:
      return null
  }
}
