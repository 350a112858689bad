import { acceptHazard, analyseAlarms, exportAnalysis, exportHazards, getHazard, queryHazards } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Hazards } from './service.ts'

export function hazardRoutes(serve: Serve, hazards: Hazards): void {
  serve(analyseAlarms, ({ actor, project, body }) => hazards.analyse(actor, project, body))
  serve(exportAnalysis, ({ actor, project, body }) => hazards.export(actor, project, body))
  serve(queryHazards, ({ actor, project, body }) => hazards.query(actor, project, body))
  serve(exportHazards, ({ actor, project, body }) => hazards.exportHazards(actor, project, body))
  serve(getHazard, ({ actor, params }) => hazards.get(actor, params.HazardID))
  serve(acceptHazard, ({ actor, body }) => hazards.accept(actor, body))
}
