import { getEnergy } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Energy } from './service.ts'

export function energyRoutes(serve: Serve, energy: Energy): void {
  serve(getEnergy, ({ actor, query }) => energy.read(actor, query))
}
