import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'

/** Shows, in the place of what could not be shown, that it could not: a fault of ours leaves no blank page. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [fault] = useErrorBoundary((error) => reportError(error))
  return fault ? <Broken /> : children
}

/** Says that a view can not be shown. */
export const Broken = () => (
  <main id="content">
    <div class="notice failure" role="alert">
      <p>This view could not be shown.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </div>
  </main>
)
