import type { GroupOperationRecord } from '@linewarden/contract'
import type { Plant } from '../plant/plant.ts'
import type { Actor } from './actor.ts'

/** A group operation as somebody may be told of it: of lines that they do not see, only that there are some. */
export function groupOperationSeenBy(
  actor: Pick<Actor, 'seesGateway'>,
  plant: Pick<Plant, 'lines'>,
  operation: GroupOperationRecord,
): GroupOperationRecord {
  const Lines = operation.Lines.filter(({ LineID }) => {
    const line = plant.lines.get(LineID)
    return line !== undefined && actor.seesGateway(line.device.gateway)
  })
  return { ...operation, Whole: operation.Whole && Lines.length === operation.Lines.length, Lines }
}
