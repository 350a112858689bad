import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { OwnedScene } from '../../store/automation/scene-page.ts'
import type { AutomationDeps } from './deps.ts'

/** Who answers for a scene when nobody presses it. */
export function createSceneOwners(
  actorNow: AutomationDeps['actorNow'],
  isWholeTo: (actor: Actor, scene: Pick<OwnedScene, 'lineIds'>) => boolean,
) {
  return { orphansOf }

  /** Those of these whose owner is gone, or may not do all of them any more. */
  async function orphansOf(scenes: readonly OwnedScene[]): Promise<ReadonlySet<number>> {
    const owners = new Map<string, Actor | null>()
    for (const { ownerId } of scenes)
      if (ownerId !== null && !owners.has(ownerId))
        owners.set(ownerId, await actorNow({ accountId: ownerId, sessionId: '', address: '' }))
    return new Set(
      scenes.flatMap((scene) => {
        const owner = scene.ownerId === null ? null : (owners.get(scene.ownerId) ?? null)
        return isOrphan(scene, owner) ? scene.sceneId : []
      }),
    )
  }

  /** Nobody is asked when it runs by itself: it needs somebody who may do all of it. */
  function isOrphan(scene: OwnedScene, owner: Actor | null): boolean {
    return !owner || !permits('lineSwitch', owner) || !permits('manageScene', owner) || owner.shared || !isWholeTo(owner, scene)
  }
}
