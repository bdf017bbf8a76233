import type { ButtonHTMLAttributes } from 'preact'

/**
 * A button that keeps the focus while it can't be pressed: a disabled element would lose it, and the keyboard
 * its place on the page. A press then does nothing, and Enter in its form sends nothing.
 * @param isBusy whether its action runs
 * @param isDisabled whether it has nothing to do
 */
export const Button = ({
  isBusy = false,
  isDisabled = false,
  onClick,
  ...rest
}: Omit<ButtonHTMLAttributes, 'disabled'> & { isBusy?: boolean; isDisabled?: boolean }) => (
  <button
    type="button"
    {...rest}
    aria-busy={isBusy || undefined}
    aria-disabled={isBusy || isDisabled || undefined}
    onClick={(event) => {
      if (isBusy || isDisabled) event.preventDefault()
      else onClick?.(event)
    }}
  />
)
