import { blocksAtSending, personBlocks } from '@linewarden/rules/control'
import type { UpgradeBlock } from '@linewarden/rules/firmware'
import type { PlantGateway } from '../../plant/plant.ts'

/**
 * A command or an order to set something under way on one of its lines is not disturbed, and nothing restarts under somebody's hands. Asked
 * often, of gateways with many lines.
 */
export function upgradeBlock(gateway: PlantGateway, beingSet: ReadonlySet<number>, now: number): UpgradeBlock | null {
  if (beingSet.has(gateway.id)) return 'busy'
  const blockOn = (tags: readonly unknown[], inspectionUntil: number | null) =>
    personBlocks({ tags, inspectionUntil }, 'set', now)
  let block = blockOn(gateway.ownTags, null)
  for (const device of gateway.devices.values()) {
    block = worse(block, blockOn(device.ownTags, null))
    for (const { underWay, ownTags, inspectionUntil } of device.lines.values()) {
      if (underWay.size > 0) return 'busy'
      block = worse(block, blockOn(ownTags, inspectionUntil))
    }
  }
  return block && blocksAtSending[block]
}

/** A tag stays until somebody takes it down; an inspection is over in a minute. */
const worse = (one: 'tags' | 'inspection' | null, other: typeof one): typeof one => (one === 'tags' ? one : (other ?? one))
