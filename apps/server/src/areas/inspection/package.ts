import type { RoundPackage } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantDevice, PlantLine } from '../../plant/plant.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import type { FrozenStop } from '../../store/inspection/schema.ts'
import type { InspectionAccess } from './access.ts'
import { labelHashes } from './codes.ts'
import type { InspectionDeps } from './deps.ts'
import type { createRoundList } from './rounds.ts'

/** Of a device with more lines than these, and of a line with more values, a phone gets the first: the whole package stays below 2 MB. */
const [maxLines, maxValues] = [12, 8]

interface Beside {
  readonly list: Pick<ReturnType<typeof createRoundList>, 'details'>
}

/** Everything that a phone takes along where there is no signal. */
export function createPackage(deps: InspectionDeps, access: InspectionAccess, { list }: Beside) {
  const { plant, clock } = deps
  return async (actor: Actor, roundId: string): Promise<RoundPackage> => {
    const row = await access.seenRound(actor, roundId)
    return {
      ...(await list.details(actor, row)),
      Last: row.stops.flatMap((stop) => lastOf(row, stop) ?? []),
      ...{ Codes: await labelHashes(deps, row), ServerTime: clock() },
    }
  }

  function lastOf(
    { project_id }: RoundRow,
    { kind, stopId, gatewayId, deviceId }: FrozenStop,
  ): RoundPackage['Last'][number] | null {
    const gateway = gatewayId === null ? undefined : plant.gateways.get(gatewayId)
    if (gateway?.project.id !== project_id) return null
    const device = deviceId === null ? undefined : plant.devices.get(deviceId)
    const { link } = device ? linkOfDevice(device) : gateway
    return {
      ...{ StopID: stopId, Link: link === 'online' ? 'online' : link === 'never' ? 'unknown' : 'offline' },
      Lines: kind === 'device' && device ? linesOf(device) : [],
    }
  }
}

const linesOf = ({ lines }: PlantDevice) =>
  [...lines.values()]
    .toSorted((a, b) => a.lineNo - b.lineNo)
    .slice(0, maxLines)
    .map(lineRecord)

function lineRecord(line: PlantLine): RoundPackage['Last'][number]['Lines'][number] {
  const position = line.states.get('position')
  return {
    ...{ LineNo: line.lineNo, Name: line.name, At: line.liveAt },
    Position: position === 'open' || position === 'closed' ? position : null,
    Values: line.device.family.points
      .flatMap(({ key, slot, precision }) => {
        const value = line.values[slot] ?? Number.NaN
        return Number.isNaN(value) ? [] : [{ Key: key, Value: Number(value.toFixed(precision)) }]
      })
      .slice(0, maxValues),
  }
}
