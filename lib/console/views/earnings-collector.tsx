import { Steps } from '../kit/steps.tsx'
import { useTransaction } from '../kit/transaction.tsx'
import { useConnection } from '../wallet/connection.tsx'

/** What an owner needs once before anybody can fund a budget account for its agents. */
export function Collector() {
  const { client } = useConnection()
  const { run, look, start, isBusy } = useTransaction('collector')
  // What an owner wants is there then: no failure.
  const stands = run.state === 'failed' && run.error.code === 'collector_exists'
  return (
    <section aria-labelledby="collector">
      <h2 id="collector">Your collector</h2>
      <p>
        A collector takes what is due out of your hirers’ budget accounts, with your signature and the
        service’s together only. Hirers can fund their accounts once it stands; you make it once, for all your
        agents.
      </p>
      <button type="button" disabled={isBusy} onClick={() => start((flow) => client.openCollector(flow))}>
        Make my collector
      </button>
      {stands ? (
        <p role="status">You have one already. {run.error.message}</p>
      ) : (
        <Steps run={run} look={look} />
      )}
    </section>
  )
}
