import { getTopology, saveTopology } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Topologies } from './topology.ts'

export function screenRoutes(serve: Serve, topologies: Topologies): void {
  serve(getTopology, ({ actor, project }) => topologies.read(actor, project))
  serve(saveTopology, ({ actor, project, body }) => topologies.save(actor, project, body))
}
