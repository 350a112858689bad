import { equipmentArea as manifest } from '@linewarden/contract'
import { accountArea } from '../account/area.ts'
import { alarmArea } from '../alarm/area.ts'
import { controlArea } from '../control/area.ts'
import { monitorArea } from '../monitor/area.ts'
import { serverArea } from '../server-area.ts'
import { equipmentRoutes, tokenRoutes } from './routes.ts'
import { createEquipment } from './service.ts'
import { createTokens } from './tokens.ts'

export const equipmentArea = serverArea(manifest, {
  needs: { account: accountArea, control: controlArea, monitor: monitorArea, alarms: alarmArea },
  create(core, { account: { accounts }, ...needs }) {
    const equipment = createEquipment({ ...core, ...needs })
    return { equipment, tokens: createTokens({ ...core, equipment, accounts }) }
  },
  routes(serve, { equipment, tokens }) {
    equipmentRoutes(serve, equipment)
    tokenRoutes(serve, tokens)
  },
})
