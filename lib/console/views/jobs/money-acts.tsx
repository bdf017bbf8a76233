import { useEffect, useState } from 'preact/hooks'
import type { Job } from '../../../client/generated/types.ts'
import { AgentCredError, type Client, formatCred, type TransactOptions } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { InWallet, useInWallet } from '../../kit/in-wallet.tsx'
import { LinesField } from '../../kit/inputs.tsx'
import { Steps } from '../../kit/steps.tsx'
import { Cred } from '../../kit/text.tsx'
import type { Transaction } from '../../kit/transaction.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { sha256 } from './hash.ts'
import { inputOf } from './inputs.ts'
import { Plain } from './texts.tsx'
import { payoutOf } from './words.ts'

const MONEY_ACTS = ['fund', 'refund', 'collect', 'close'] as const
type MoneyAct = (typeof MONEY_ACTS)[number]

/** Whether an act is a transaction that the wallet signs. */
export const isMoneyAct = (act: Job['actions'][number]['act']): act is MoneyAct =>
  (MONEY_ACTS as readonly string[]).includes(act)

/**
 * The acts that move the money of a job, each a transaction that the wallet signs: paying the price into the
 * escrow, and getting out what is due.
 */
export function MoneyActs({ job, transaction }: { job: Job; transaction: Transaction }) {
  const { client } = useConnection()
  const { run, check, start, isBusy } = transaction
  const may = (act: MoneyAct) => job.actions.some((action) => action.act === act)
  const jobId = job.id
  return (
    <div class="acts">
      {may('fund') && (
        <Fund
          job={job}
          isBusy={isBusy}
          fund={(input) => start((flow) => client.fundJob({ job, input }, flow))}
        />
      )}
      {may('refund') && (
        <div>
          <p>
            {job.strays.length > 0
              ? 'A payment of yours arrived too late for this job. All of it is yours.'
              : 'Your part of the price waits in the escrow until you get it back.'}
          </p>
          <Button
            class="primary"
            isBusy={isBusy}
            onClick={() => start((flow) => client.refundJob({ jobId, atLeast: job.hirerAmount }, flow))}
          >
            {payoutOf(job)}
          </Button>
        </div>
      )}
      {may('collect') && (
        <div>
          <p>Your part of the price waits in the escrow until you collect it.</p>
          <Button
            class="primary"
            isBusy={isBusy}
            onClick={() => start((flow) => client.collectJobs({ jobId, feeBps: job.feeBps }, flow))}
          >
            {payoutOf(job)}
          </Button>
        </div>
      )}
      {may('close') && (
        <div>
          <p>The escrow is empty. Closing it returns its rent to your wallet.</p>
          <Button isBusy={isBusy} onClick={() => start((flow) => closeEscrow(client, jobId, flow))}>
            Get back 0.002 SOL
          </Button>
        </div>
      )}
      <Steps run={run} check={check} />
    </div>
  )
}

/** Closes the escrow. If somebody has sent tokens to it, the closing is a refund that pays these out, too. */
const closeEscrow = (client: Client, jobId: string, flow: TransactOptions) =>
  client.closeEscrows({ jobId }, flow).catch((error: unknown) => {
    if (error instanceof AgentCredError && error.code === 'nothing_due')
      return client.refundJob({ jobId }, flow)
    throw error
  })

/** Pays the price. The input, whose hash is part of the order, is sent along. */
function Fund({
  job,
  isBusy,
  fund,
}: {
  job: Job
  isBusy: boolean
  fund: (input: string | undefined) => void
}) {
  const [input, setInput] = useState(() => inputOf(job.id) ?? '')
  const [isRemembered] = useState(input !== '')
  const isOrdered = useIsHashed(input, job.inputHash)
  const hasInput = job.inputHash !== undefined
  return (
    <Form
      action={async () => fund(hasInput ? input : undefined)}
      label={`Pay ${formatCred(job.price)} CRED`}
      isBusy={isBusy}
    >
      <h2>Pay the price</h2>
      <p>
        <Cred amount={job.price} /> goes into the escrow of this job, and the agent starts to work. Without a
        delivery in time, press “Get back” here. <InWallet cred={useInWallet()} />
      </p>
      <RentNote />
      {hasInput &&
        (isRemembered && isOrdered !== false ? (
          <>
            <h3>Input</h3>
            <Plain text={input} />
            <p class="small">The agent’s owner reads it once you have paid.</p>
          </>
        ) : (
          <LinesField
            name="input"
            label="Input"
            hint="The same text as in the order. The agent’s owner reads it once you have paid."
            problem={isOrdered ? undefined : 'Enter exactly the text that you ordered with.'}
            value={input}
            change={setInput}
          />
        ))}
    </Form>
  )
}

/** Whether a text has a hash; undefined until it is computed. */
function useIsHashed(text: string, hash: string | undefined): boolean | undefined {
  const [checked, setChecked] = useState<{ text: string; is: boolean }>()
  useEffect(() => {
    sha256(text).then((found) => setChecked({ text, is: found === hash }))
  }, [text, hash])
  return checked?.text === text ? checked.is : undefined
}

/** Says what an escrow costs in SOL, besides its price in CRED. */
export const RentNote = () => (
  <p class="small">
    The escrow holds 0.002 SOL of rent, which you get back when the job has ended. The first time, your wallet
    also asks you to open your refund account, through which prices come back: about 0.0034 SOL of rent, once
    for all jobs.
  </p>
)
