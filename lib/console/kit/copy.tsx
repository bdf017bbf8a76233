import { useState } from 'preact/hooks'

/** A button that copies a text, and says whether it did: a browser may refuse. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<{ text: string; isDone: boolean }>()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied({ text, isDone: true }),
      (error: unknown) => {
        console.error('Copying failed:', error)
        setCopied({ text, isDone: false })
      },
    )
  const isDone = copied?.text === text ? copied.isDone : undefined
  return (
    <>
      <button type="button" onClick={copy}>
        {isDone ? 'Copied' : label}
      </button>
      {isDone === false && (
        <p class="small" role="alert">
          Your browser blocked copying. Select and copy it here: <code>{text}</code>
        </p>
      )}
    </>
  )
}
