import type { ButtonHTMLAttributes } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/**
 * A button that keeps the focus while it can't be pressed: a disabled element would lose it, and the keyboard
 * its place on the page. A press then does nothing, and Enter in its form sends nothing. The one that was
 * pressed shows that its action runs.
 * @param isBusy whether its action runs, or one that excludes it
 * @param isDisabled whether it has nothing to do
 */
export function Button({
  isBusy = false,
  isDisabled = false,
  onClick,
  ...rest
}: Omit<ButtonHTMLAttributes, 'disabled'> & { isBusy?: boolean; isDisabled?: boolean }) {
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    if (!isBusy) setPressed(false)
  }, [isBusy])
  return (
    <button
      type="button"
      {...rest}
      aria-busy={(isBusy && isPressed) || undefined}
      aria-disabled={isBusy || isDisabled || undefined}
      onClick={(event) => {
        if (isBusy || isDisabled) return event.preventDefault()
        setPressed(true)
        onClick?.(event)
      }}
    />
  )
}
