import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * Sees that the browser lets this page reach apps on this device, which is how a wallet app answers it. It
 * asks the visitor itself, once, but behind the app if the app is opened first: so it is made to ask before.
 * @throws Error in words when it doesn't
 */
export async function mayReachApps(): Promise<void> {
  if ((await permission()) === 'prompt') {
    await confirmed(
      'Your browser will ask whether this page may connect to apps on this device. Allow it so that your wallet app can respond.',
      'Continue',
    )
    // Nothing answers there; that it is asked for makes the browser ask.
    await fetch('http://localhost', { mode: 'no-cors' }).catch(() => {})
  }
  const state = await permission()
  if (state !== 'granted')
    throw new Error(
      'Your browser blocks this page from reaching wallet apps. Allow “Apps on device” in the site settings next to the address bar, then try again.',
    )
}

/** Sees that the visitor has just pressed something: without that a browser opens no app. */
export async function mayOpenApp(): Promise<void> {
  if (!navigator.userActivation.isActive) await confirmed('Continue in your wallet app.', 'Open wallet app')
}

/** Pages of the device itself are never asked about: the question would stay open. */
const ON_THIS_DEVICE = /^((.*\.)?localhost|127\.[\d.]+|\[::1\])$/

/** Whether this page may reach this device; a browser that does not know the question lets it. */
async function permission(): Promise<PermissionState> {
  if (ON_THIS_DEVICE.test(location.hostname)) return 'granted'
  try {
    // Too new for the types.
    const { state } = await navigator.permissions.query({ name: 'loopback-network' as PermissionName })
    return state
  } catch {
    return 'granted'
  }
}

/**
 * Asks the visitor to press a button.
 * @throws Error when it is cancelled
 */
function confirmed(words: string, label: string): Promise<void> {
  const container = document.body.appendChild(document.createElement('div'))
  return new Promise<void>((resolve, reject) => {
    const cancel = () => reject(new Error('You cancelled the request.'))
    render(<Question words={words} label={label} confirm={resolve} cancel={cancel} />, container)
  }).finally(() => {
    render(null, container)
    container.remove()
  })
}

function Question({
  words,
  label,
  confirm,
  cancel,
}: {
  words: string
  label: string
  confirm: () => void
  cancel: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={cancel} aria-labelledby="consent-title">
      <h2 id="consent-title">{label}</h2>
      <p>{words}</p>
      <div class="row">
        <button type="button" class="primary" onClick={confirm}>
          {label}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
