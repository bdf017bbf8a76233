import { Copy } from './copy.tsx'
import { Time } from './text.tsx'

/** A secret that was just made, and where it belongs. */
export type Shown = {
  url: string
  secret: string
  /** Until when the one before it signs, too. */
  previousEndsAt?: string
}

/** Shows a secret, once: the service keeps it under a key of its own and never shows it again. */
export function Secret({ shown: { url, secret, previousEndsAt } }: { shown: Shown }) {
  return (
    <div class="notice" role="status">
      <p>
        <strong>Signing secret for {url}. Copy it now: it won’t be shown again.</strong>
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <Copy text={secret} label="Copy secret" />
      {previousEndsAt && (
        <p class="small">
          The previous secret stays valid until <Time at={previousEndsAt} />.
        </p>
      )}
    </div>
  )
}
