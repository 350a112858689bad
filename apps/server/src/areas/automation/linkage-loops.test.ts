import { expect, test } from 'vitest'
import type { Plant } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { refuseOfScene } from './linkage-loops.ts'

// Line 1 is in a cabinet that whoever changes the scene sees, line 2 in one that they do not.
const lines = new Map([1, 2].map((id) => [id, { id, name: `l${id}`, device: { gateway: { id } } }]))
const asking = {
  plant: { lines } as unknown as Plant,
  actor: { seesGateway: ({ id }: { readonly id: number }) => id === 1 },
}
const linkage = (linkageId: number, lineId: number) =>
  ({
    ...{
      linkageId,
      name: `n${linkageId}`,
      mode: 'live',
      mayClose: true,
      conditions: [{ kind: 'point', lineId, key: 'current.a' }],
    },
    actions: [{ kind: 'scene', lineId: null, sceneId: 9, delayS: 0 }],
  }) as unknown as StoredLinkage
const scene = { sceneId: 9, items: [] } as unknown as StoredScene
const closing = { sceneId: 9, items: [{ lineId: 3, action: 'close' }] } as unknown as StoredScene

const refused = (...linkages: readonly StoredLinkage[]) => {
  try {
    refuseOfScene(asking, closing)({ linkages, feeds: new Map(), scenes: [scene] })
  } catch (error) {
    return error
  }
  return null
}

test('whoever brings a close into a scene learns of the linkages that run it as far as they see them', () => {
  expect(refused()).toBeNull()
  const detail = { linkages: { zh: 'n1、（无权查看）', en: 'n1, (not yours to see)' } }
  expect(refused(linkage(1, 1), linkage(2, 2), linkage(4, 2))).toMatchObject({ key: 'scene closes by linkage', detail })
})
