import { createApp } from '../../lib/http/app.ts'
import { toolsOf } from '../../lib/http/tools.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

const app = createApp({ routes, deps })

export default app
export const Tools = toolsOf(app)
