import type { TransactionStep } from '../../client/index.ts'
import { CHAIN } from '../wallet/chain.ts'
import { explorerUrl } from './explorer.ts'
import { Failure } from './loaded.tsx'
import type { Run } from './runs.tsx'
import { doneWords, summaryWords } from './summary.ts'
import { Signature } from './text.tsx'
import type { Transaction } from './transaction.tsx'
import { adviceOn } from './words.ts'

const STEPS: Record<TransactionStep, string> = {
  build: 'Prepare the transaction',
  sign: 'Approve in your wallet',
  send: 'Send to Solana',
  wait: 'Confirm on Solana',
}
const NAMES = Object.keys(STEPS) as TransactionStep[]

/** The state of the current step, for screen readers. */
const STATES = { running: 'in progress', cancelled: 'cancelled', failed: 'failed' }

/**
 * Shows each step of a transaction, the current one, and what to do when one fails. Of a confirmed one only
 * its result is left.
 */
export function Steps({ run, check }: Pick<Transaction, 'run' | 'check'>) {
  if (run.state === 'idle') return null
  const reached = NAMES.indexOf(run.progress.step)
  return (
    <div class="steps" role="status" aria-live="polite">
      {run.state !== 'landed' && (
        <ol>
          {NAMES.map((name, index) => (
            <li key={name} class={index < reached ? 'done' : index === reached ? run.state : 'ahead'}>
              {STEPS[name]}
              <span class="visually-hidden">
                {index < reached ? ': done' : index === reached ? `: ${STATES[run.state]}` : ''}
              </span>
            </li>
          ))}
        </ol>
      )}
      <End run={run} check={check} />
    </div>
  )
}

/** Shows the text and the buttons of the step that the transaction has reached. */
function End({ run, check }: { run: Exclude<Run, { state: 'idle' }>; check: () => void }) {
  const { transaction, summary } = run.progress
  switch (run.state) {
    case 'running':
      return (
        <>
          {summary && <p>{summaryWords(summary)}</p>}
          {run.cancel && (
            <button type="button" onClick={run.cancel}>
              Cancel
            </button>
          )}
        </>
      )
    case 'landed':
      return (
        <p>
          <strong>{doneWords(summary)}</strong> <TransactionLink signature={run.signature} />
          {transaction && 'step' in transaction && transaction.step === 'open_vault' && (
            <> Your vault is open. Stake again to finish.</>
          )}
        </p>
      )
    case 'cancelled':
      return <p>Cancelled. Nothing was sent.</p>
    case 'failed': {
      const { error, left } = run
      return (
        <>
          <Failure error={error} advice={left.isOpen ? left.words : adviceAfter(error.code)} />
          {left.isOpen ? (
            <button type="button" class="primary" onClick={check}>
              Check status
            </button>
          ) : (
            <p>{left.words}</p>
          )}
        </>
      )
    }
  }
}

function TransactionLink({ signature }: { signature: string | undefined }) {
  if (!signature) return null
  const url = explorerUrl(CHAIN, 'tx', signature)
  // No explorer knows a local chain: its signature can be copied.
  if (!url) return <Signature signature={signature} />
  return (
    <a href={url} target="_blank" rel="noreferrer">
      View on Solana Explorer
    </a>
  )
}

/** The page asks again for what it shows, and never begins a transaction by itself. */
const adviceAfter = (code: string): string =>
  code === 'unreachable' ? 'Try again when you are back online.' : adviceOn(code)
