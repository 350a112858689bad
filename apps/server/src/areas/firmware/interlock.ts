import { blocksAtSending, personBlocks } from '@linewarden/rules/control'
import type { LinesHold } from '@linewarden/rules/firmware'
import type { PlantGateway } from '../../plant/plant.ts'

/**
 * A command or an order to set something under way on one of its lines is not disturbed, and nothing restarts under somebody's hands. Asked
 * often, of gateways with many lines.
 */
export function interlockOfLines(gateway: PlantGateway, beingSet: ReadonlySet<number>, now: number): LinesHold | null {
  if (beingSet.has(gateway.id)) return 'busy'
  const heldOn = (tags: readonly unknown[], inspectionUntil: number | null) => personBlocks({ tags, inspectionUntil }, 'set', now)
  let held = heldOn(gateway.ownTags, null)
  for (const device of gateway.devices.values()) {
    held = worse(held, heldOn(device.ownTags, null))
    for (const { underWay, ownTags, inspectionUntil } of device.lines.values()) {
      if (underWay.size > 0) return 'busy'
      held = worse(held, heldOn(ownTags, inspectionUntil))
    }
  }
  return held && blocksAtSending[held]
}

/** A tag stays until somebody takes it down; an inspection is over in a minute. */
const worse = (one: 'tags' | 'inspection' | null, other: typeof one): typeof one => (one === 'tags' ? one : (other ?? one))
