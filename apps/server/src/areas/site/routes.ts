import { tree } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Site } from './service.ts'

export function siteRoutes(serve: Serve, site: Site): void {
  serve(tree, ({ actor }) => site.tree(actor))
}
