import './styles/index.css'
import { render } from 'preact'
import { App, Boundary } from './app.tsx'
import { keepFocus } from './kit/focus.ts'
import { Owing } from './kit/owed.tsx'
import { Running } from './kit/runs.tsx'
import { Live } from './live/live.tsx'
import { keepPlaces } from './place.ts'
import { Connected } from './wallet/connection.tsx'

// A constant of the build, so a deployment's files have none of this code.
if (DEVELOPMENT) (await import('./wallet/development.ts')).registerDevelopmentWallet()

// Wallet apps answer pages in Chrome on Android alone; a wallet's own browser (wv) brings its wallet.
const { userAgent } = navigator
if (/Android.*Chrome\//.test(userAgent) && !/; wv\)/.test(userAgent))
  import('./wallet/mobile/mobile-wallet.ts').then(
    ({ registerMobileWallet }) => registerMobileWallet(),
    (error: unknown) => console.error('Wallet apps on this phone are not available:', error),
  )

keepFocus()
keepPlaces()

const root = document.getElementById('app')
if (root)
  render(
    <Boundary>
      <Connected>
        <Running>
          <Live>
            <Owing>
              <App />
            </Owing>
          </Live>
        </Running>
      </Connected>
    </Boundary>,
    root,
  )
