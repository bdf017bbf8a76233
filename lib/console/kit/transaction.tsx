import { useEffect } from 'preact/hooks'
import { AgentCredError, type Client, type Progress, type TransactOptions } from '../../client/index.ts'
import { useConnection } from '../wallet/connection.tsx'
import { leftBy } from './left.ts'
import { errorOf } from './query.ts'
import { isBusy, type Run, useRuns } from './runs.tsx'

export type Transaction = ReturnType<typeof useTransaction>

/**
 * Runs a flow of the client, one at a time for each name and account. Keeps its progress when the view
 * changes, until its outcome is known.
 * @param onLanded called when the transaction is confirmed
 */
export function useTransaction(name: string, onLanded: () => void = () => {}) {
  const { client, address } = useConnection()
  const { get, set } = useRuns()
  const key = `${address} ${name}`
  const run = get(key)

  useEffect(() => {
    if (run.state === 'landed') onLanded()
  }, [key, run.state])
  useEffect(
    () => () => {
      if (!isBusy(get(key))) set(key, { state: 'idle' })
    },
    [key],
  )

  async function follow(flow: Flow, from: Progress, place: string | undefined): Promise<void> {
    const abort = new AbortController()
    let progress = from
    const put = (run: Run) => set(key, { ...run, place })
    const onStep = (next: Progress) => {
      progress = next
      const canCancel = next.step === 'build' || next.step === 'sign'
      put({ state: 'running', progress, cancel: canCancel ? () => abort.abort() : undefined })
    }
    onStep(from)
    try {
      const { signature } = await flow({ onStep, signal: abort.signal })
      put({ state: 'landed', progress, signature })
    } catch (cause) {
      put(abort.signal.aborted ? afterCancel(progress) : afterError(errorOf(cause), progress))
    }
  }

  return {
    run,
    isBusy: isBusy(run),
    /**
     * @param flow hands its options to the client: `(options) => client.stake({ … }, options)`
     * @param place the part of the view that begins it, where its steps are shown
     */
    start(flow: Flow, place?: string): void {
      if (!isBusy(get(key))) follow(flow, { step: 'build' }, place)
    },
    /** Forgets a run that is over. */
    clear(): void {
      if (!isBusy(get(key))) set(key, { state: 'idle' })
    },
    /** Waits for the outcome of a transaction that may have been sent. */
    check(): void {
      const last = get(key)
      if (last.state !== 'failed' || last.progress.step === 'build') return
      const { transaction, summary } = last.progress
      follow(() => outcomeOf(client, transaction), { step: 'wait', transaction, summary }, last.place)
    },
  }
}

/** Runs a transaction to its end. The service knows the signature of one that it has sent. */
type Flow = (options: TransactOptions) => Promise<{ signature?: string | undefined }>

const outcomeOf = (client: Client, transaction: Built): ReturnType<Flow> =>
  'signing' in transaction ? client.waitForTransaction(transaction.id) : client.waitForPayment(transaction.id)

type Built = NonNullable<Progress['transaction']>

const afterError = (error: AgentCredError, progress: Progress): Run => ({
  state: 'failed',
  progress,
  error,
  left: leftBy(error.code, progress),
})

/** A wallet that sends by itself may do so later. */
function afterCancel(progress: Progress): Run {
  const error = new AgentCredError('outcome_unknown', 'You cancelled before the transaction was confirmed.')
  const run = afterError(error, progress)
  return run.state === 'failed' && run.left.isOpen ? run : { state: 'cancelled', progress }
}
