import { createApp } from '../../lib/http/app.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

const app = createApp({ routes, deps })

/**
 * Whoever knows only the host is led to the reference, and software to what we publish (ARD, section 5.1).
 */
app.get('/', (c) => c.body(null, 302, { location: '/v1/docs', link: '</.well-known/ard.json>; rel="ard"' }))

export default app
