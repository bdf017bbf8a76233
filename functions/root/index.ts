import { createApp } from '../../lib/http/app.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

const app = createApp({ routes, deps })

/** Leads visitors who know only the host to the console, and software to our catalog (ARD, section 5.1). */
app.get('/', (c) => c.body(null, 302, { location: '/console/', link: '</.well-known/ard.json>; rel="ard"' }))

export default app
