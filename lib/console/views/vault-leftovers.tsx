import { useState } from 'preact/hooks'
import { Disclosure } from '../kit/disclosure.tsx'
import { TextField } from '../kit/inputs.tsx'
import { Steps } from '../kit/steps.tsx'
import { useTransaction } from '../kit/transaction.tsx'
import { useConnection } from '../wallet/connection.tsx'

/** Closes the account of a withdrawn position that something was sent to: its rent and that come back. */
export function Leftovers() {
  const { client } = useConnection()
  const closing = useTransaction('leftovers')
  const [text, setText] = useState('')
  const positionId = /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
  return (
    <Disclosure summary="A withdrawal has left an account open">
      <p>
        Whoever sends tokens to the account of a position keeps its withdrawal from closing it. Its rent and
        what was sent are yours.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (positionId !== undefined) closing.start((flow) => client.closeLeftovers({ positionId }, flow))
        }}
      >
        <TextField
          name="positionId"
          label="Number of the withdrawn position"
          hint="From 0, in the order in which you have staked"
          inputMode="numeric"
          value={text}
          change={setText}
        />
        <button type="submit" disabled={positionId === undefined || closing.isBusy}>
          Close its account
        </button>
      </form>
      <Steps {...closing} />
    </Disclosure>
  )
}
