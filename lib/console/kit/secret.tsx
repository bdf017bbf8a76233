import { Copy } from './copy.tsx'
import { Time } from './text.tsx'

/** A new secret, and where it belongs. */
export type Shown = {
  url: string
  secret: string
  /** Until when the former secret signs, too. */
  previousEndsAt?: string
}

/** Shows a secret, once. The service stores it encrypted and never shows it again. */
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
