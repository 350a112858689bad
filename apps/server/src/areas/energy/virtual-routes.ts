import { insertVirtualMeter, listVirtualMeters, updateVirtualMeter } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { VirtualMeters } from './virtual-meters.ts'

export function virtualRoutes(serve: Serve, meters: VirtualMeters): void {
  serve(listVirtualMeters, ({ actor, project }) => meters.list(actor, project))
  serve(insertVirtualMeter, ({ actor, project, body }) => meters.insert(actor, project, body))
  serve(updateVirtualMeter, ({ actor, project, body }) => meters.update(actor, project, body))
}
