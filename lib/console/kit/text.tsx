import type { ComponentChildren } from 'preact'
import { formatTime } from '../locale.ts'
import { addressOf, show } from '../router.ts'
import { formatCred } from './amounts.ts'

/** An amount in CRED, exact. */
export const Cred = ({ amount }: { amount: bigint }) => (
  <span class="amount">
    {formatCred(amount)} <abbr title="CRED token">CRED</abbr>
  </span>
)

/** A wallet, shortened; the whole of it can be read and copied. */
export const Wallet = ({ address }: { address: string }) => (
  <code title={address}>
    {address.slice(0, 4)}…{address.slice(-4)}
  </code>
)

/** A time as the reader's own clock has it. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {formatTime(at)}
  </time>
)

/** A link to another view of the console, which loads no page. */
export const Link = ({
  to,
  isCurrent,
  children,
  ...rest
}: {
  to: string
  isCurrent?: boolean
  class?: string
  children: ComponentChildren
}) => (
  <a
    {...rest}
    href={addressOf(to)}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={(event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      show(to)
    }}
  >
    {children}
  </a>
)

/** A state in one word, by colour and by text. */
export const Badge = ({
  tone,
  children,
}: {
  tone: 'good' | 'warn' | 'bad' | 'plain'
  children: ComponentChildren
}) => <span class={`badge ${tone}`}>{children}</span>
