import { ardRoutes } from './ard-routes.ts'
import { cardRoutes } from './card-routes.ts'

export const routes = [...ardRoutes, ...cardRoutes]
