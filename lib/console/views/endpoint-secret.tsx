import { useState } from 'preact/hooks'
import { Time } from '../kit/text.tsx'

/** A secret that was just made, and where it belongs. */
export type Shown = {
  url: string
  secret: string
  /** Until when the one before it signs, too. */
  previousEndsAt?: string
}

/** Shows a secret, once: the service keeps it under a key of its own and never shows it again. */
export function Secret({ shown: { url, secret, previousEndsAt } }: { shown: Shown }) {
  const [copied, setCopied] = useState<string>()
  const copy = () => navigator.clipboard.writeText(secret).then(() => setCopied(secret))
  return (
    <div class="notice" role="status">
      <p>
        <strong>The secret of {url}. Copy it now: it is never shown again.</strong>
      </p>
      <p>
        <code>{secret}</code>{' '}
        <button type="button" onClick={copy}>
          {copied === secret ? 'Copied' : 'Copy'}
        </button>
      </p>
      {previousEndsAt && (
        <p class="small">
          Until <Time at={previousEndsAt} /> the secret before it signs, too.
        </p>
      )}
    </div>
  )
}
