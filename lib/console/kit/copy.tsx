import { useState } from 'preact/hooks'

/** Copies a text. `isDone`: whether the browser has copied it; undefined until it has answered. */
function useCopy(text: string) {
  const [copied, setCopied] = useState<{ text: string; isDone: boolean }>()
  const copy = async () => {
    try {
      // Over http, except from this computer, a browser has no `clipboard`.
      await navigator.clipboard.writeText(text)
      setCopied({ text, isDone: true })
    } catch (error) {
      console.error('Copying failed:', error)
      setCopied({ text, isDone: false })
    }
  }
  const isDone = copied?.text === text ? copied.isDone : undefined
  /** Shows the button's first label again. A text that could not be copied stays on display. */
  const reset = () => isDone && setCopied(undefined)
  return { copy, isDone, reset }
}

/** A button that copies a text, and shows whether that worked: a browser may refuse. */
export function Copy({ text, label }: { text: string; label: string }) {
  const { copy, isDone } = useCopy(text)
  return (
    <>
      <button type="button" onClick={copy}>
        {isDone ? 'Copied' : label}
      </button>
      {isDone === false && <NotCopied text={text} />}
    </>
  )
}

/** The same as a small icon next to what it copies. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { copy, isDone, reset } = useCopy(text)
  return (
    <>
      <button type="button" class="copy" aria-label={isDone ? 'Copied' : label} onClick={copy} onBlur={reset}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d={isDone ? 'm3 8.5 3.5 3.5L13 5' : 'M6 6h7.5v7.5H6zM10 3.5V2.5H2.5V10h1'} />
        </svg>
      </button>
      {isDone === false && <NotCopied text={text} />}
    </>
  )
}

const NotCopied = ({ text }: { text: string }) => (
  <span class="small not-copied" role="alert">
    Your browser blocked copying. Select and copy it here: <code>{text}</code>
  </span>
)
