import type { ComponentChildren } from 'preact'
import { Copy } from '../../kit/copy.tsx'

/** A text to copy, with where it goes above it and what comes next below it. */
export const Copied = ({
  where,
  text,
  label,
  next,
}: {
  where: ComponentChildren
  text: string
  /** The button's words. */
  label: string
  next?: ComponentChildren
}) => (
  <>
    <p>{where}</p>
    <pre class="message">{text}</pre>
    <Copy text={text} label={label} />
    {next && <p class="small">{next}</p>}
  </>
)
