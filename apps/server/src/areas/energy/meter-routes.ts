import { insertMeter, listMeters, removeMeter, updateMeter } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Meters } from './meters.ts'

export function meterRoutes(serve: Serve, meters: Meters): void {
  serve(listMeters, ({ actor, project }) => meters.list(actor, project))
  serve(insertMeter, ({ actor, project, body }) => meters.insert(actor, project, body))
  serve(updateMeter, ({ actor, project, body }) => meters.update(actor, project, body))
  serve(removeMeter, ({ actor, project, body }) => meters.remove(actor, project, body))
}
