import type { List, listRoundLines as listRoundLinesCall, Request, RoundLine } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { FrozenStop } from '../../store/inspection/schema.ts'
import { listRoundLines } from '../../store/inspection/walk.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'

/** Every line behind its stops that stands in the project now, once. */
export function linesOf(
  plant: Plant,
  { project_id, stops }: { readonly project_id: number; readonly stops: readonly FrozenStop[] },
): PlantLine[] {
  const found = new Map<number, PlantLine>()
  for (const { kind, gatewayId, deviceId } of stops) {
    const gateway = gatewayId === null ? undefined : plant.gateways.get(gatewayId)
    if (gateway?.project.id !== project_id) continue
    const device = deviceId === null ? undefined : plant.devices.get(deviceId)
    const devices = kind === 'device' ? (device ? [device] : []) : [...gateway.devices.values()]
    for (const each of devices) for (const line of each.lines.values()) found.set(line.id, line)
  }
  return [...found.values()].toSorted((a, b) => a.id - b.id)
}

/** What a walk found, line by line. */
export function createRoundLines({ database }: InspectionDeps, access: InspectionAccess) {
  return lines

  async function lines(actor: Actor, body: Request<typeof listRoundLinesCall>['body']): Promise<List<RoundLine>> {
    const { RoundID, Grade = null, Check = null, Text = '', Page = 1, Size = 10 } = body
    const round = await access.seenRound(actor, RoundID)
    if (round.state === 'started') return { items: [], total: 0 }
    const filter = { roundId: RoundID, grade: Grade, check: Check, text: Text }
    const { rows, total } = await withRowSecurity(database, actor.scope, ({ general }) =>
      listRoundLines(general, filter, { page: Page, size: Size }),
    )
    const items = rows.map(({ line_id, line_name, gateway_name, grade, found }) => ({
      ...{ LineID: line_id, ControllerID: found.controllerId, LineNo: found.lineNo, LineName: line_name },
      ...{ DeviceID: found.gatewayId, GatewayName: gateway_name, Grade: grade },
      Findings: found.findings.map((each) => ({ Check: each.check, Grade: each.grade, Text: each.text })),
    }))
    return { items, total }
  }
}
