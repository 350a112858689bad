import { searchTree, tree } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Plant } from '../../live/plant.ts'
import { searchEquipment } from './search.ts'
import type { Site } from './service.ts'

export function siteRoutes(serve: Serve, site: Site, plant: Plant): void {
  serve(tree, ({ actor, project, query }) => site.tree(actor, project, query))
  serve(searchTree, ({ actor, query }) => searchEquipment(plant, actor, query.Text))
}
