import './styles/index.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { Connected } from './wallet/connection.tsx'

// The condition is a constant of the build: a deployment's has nothing of it.
if (DEVELOPMENT_WALLET) (await import('./wallet/development.ts')).registerDevelopmentWallet()

const root = document.getElementById('app')
if (root)
  render(
    <Connected>
      <App />
    </Connected>,
    root,
  )
