import { linkagesOf } from '../../store/automation/linkage.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import { createLinkageAccess } from './linkage-access.ts'
import { createSceneOwners } from './scene-owners.ts'

/** What acts by itself, or is run at one press, and has nobody who answers for it. */
export interface WithoutOwner {
  readonly ownerId: string | null
  readonly lineIds: readonly number[]
}

/** Enabled scenes and linkages of a project whose owner is gone, or may not do all of them any more. */
export async function scenesAndLinkagesWithoutOwner(
  deps: Pick<AutomationDeps, 'database' | 'plant' | 'actorNow'>,
  projectId: number,
): Promise<readonly WithoutOwner[]> {
  const { database, plant, actorNow } = deps
  const access = createLinkageAccess(deps)
  const scenes = (await scenesOf(database.general, [projectId]))
    .filter(({ enabled }) => enabled)
    .map((scene) => ({ ...scene, lineIds: scene.items.map(({ lineId }) => lineId) }))
  const orphans = await createSceneOwners(actorNow, (actor, { lineIds }) =>
    lineIds.every((lineId) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    }),
  ).orphansOf(scenes)
  const linkages = (await linkagesOf(database.general, [projectId])).filter(({ enabled }) => enabled)
  const reach = await access.reachOf(linkages)
  const owners = new Map<string, Awaited<ReturnType<typeof actorNow>>>()
  for (const { ownerId } of linkages)
    if (ownerId !== null && !owners.has(ownerId))
      owners.set(ownerId, await actorNow({ accountId: ownerId, sessionId: '', address: '' }))
  const lost = linkages.filter((each) => access.isOrphan(each, (each.ownerId && owners.get(each.ownerId)) || null, reach))
  return [
    ...scenes.filter(({ sceneId }) => orphans.has(sceneId)).map(({ ownerId, lineIds }) => ({ ownerId, lineIds })),
    ...lost.map(({ ownerId, conditions }) => ({ ownerId, lineIds: conditions.map(({ lineId }) => lineId) })),
  ]
}
