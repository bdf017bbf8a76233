import { useState } from 'preact/hooks'
import type { AgentCredError, Progress, TransactionStep, TransactOptions } from '../../client/index.ts'
import { Failure } from './loaded.tsx'
import { forReaders } from './message.ts'
import { errorOf } from './query.ts'

const STEPS: Record<TransactionStep, string> = {
  build: 'The service builds the transaction',
  sign: 'Your wallet signs it',
  send: 'It is sent to the network',
  wait: 'The network takes it',
}

/** What a step that has failed leaves behind. */
const LEFT: Record<TransactionStep, string> = {
  build: 'Nothing has happened.',
  sign: 'Nothing has happened: without your signature the transaction is void.',
  send: 'It may not have reached the network. Begin again: the service never lets the same thing land twice.',
  wait: 'It was sent, and is not seen on the network yet. Look again in a minute before you begin anew.',
}

/** A transaction from its building to its landing, as far as it has come. */
type Run =
  | { state: 'idle' }
  | { state: 'running'; progress: Progress }
  | { state: 'landed' }
  | { state: 'failed'; step: TransactionStep | undefined; error: AgentCredError }

/**
 * Runs a flow of the client, one at a time, and keeps how far it is.
 * @param flow hands its options to the client: `(options) => client.stake({ … }, options)`
 */
export function useTransaction() {
  const [run, setRun] = useState<Run>({ state: 'idle' })
  async function start(flow: (options: TransactOptions) => Promise<unknown>): Promise<boolean> {
    if (run.state === 'running') return false
    setRun({ state: 'running', progress: { step: 'build' } })
    try {
      await flow({ onStep: (progress) => setRun({ state: 'running', progress }) })
      setRun({ state: 'landed' })
      return true
    } catch (cause) {
      const error = errorOf(cause)
      setRun({ state: 'failed', step: error.step, error })
      return false
    }
  }
  return { run, start, reset: () => setRun({ state: 'idle' }) }
}

/** Shows each step of a transaction, the one under way, and what to do when one fails. */
export function Steps({ run }: { run: Run }) {
  if (run.state === 'idle') return null
  const names = Object.keys(STEPS) as TransactionStep[]
  const reached =
    run.state === 'landed'
      ? names.length
      : names.indexOf((run.state === 'running' ? run.progress.step : run.step) ?? 'build')
  const words = run.state === 'running' ? run.progress.transaction?.message : undefined
  return (
    <div class="steps" role="status" aria-live="polite">
      <ol>
        {names.map((name, index) => (
          <li key={name} class={index < reached ? 'done' : index === reached ? run.state : 'ahead'}>
            {STEPS[name]}
            <span class="visually-hidden">
              {index < reached ? ': done' : index === reached ? `: ${run.state}` : ''}
            </span>
          </li>
        ))}
      </ol>
      {words && <p>{forReaders(words)}</p>}
      {run.state === 'landed' && (
        <p>
          <strong>It has landed.</strong>
        </p>
      )}
      {run.state === 'failed' && (
        <>
          <Failure error={run.error} />
          {run.step && <p>{LEFT[run.step]}</p>}
        </>
      )}
    </div>
  )
}
