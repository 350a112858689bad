import type { Reply, Request, scenesAbout, takeOrphanedScenes } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { takeScene } from '../../store/automation/scene.ts'
import type { OwnedScene } from '../../store/automation/scene-page.ts'
import { ownersOfScenes, sceneIdsBy } from '../../store/automation/scene-page.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { placeFilter } from './place-filter.ts'
import type { SceneAccess } from './scene-access.ts'

/** Scenes that nobody answers for, and who takes them over. */
export function createSceneOrphans({ database, plant, control, clock }: AutomationDeps, access: SceneAccess) {
  return {
    async about(
      actor: Actor,
      project: PlantProject | null,
      place: Request<typeof scenesAbout>['body'],
    ): Promise<Reply<typeof scenesAbout>> {
      const orphans = await orphansIn(actor, placeFilter(actor, plant, project, place))
      return {
        OrphansOf: [...Map.groupBy(orphans, ({ projectId }) => projectId)].map(([HouseID, own]) => ({
          ...{ HouseID, Name: plant.projects.get(HouseID)?.name ?? '', Count: own.length },
        })),
      }
    },

    /** An administrator takes over all scenes of a project that nobody answers for; each as if it were the only one. */
    async takeOver(
      actor: Actor,
      project: PlantProject,
      { Grant }: Request<typeof takeOrphanedScenes>['body'],
    ): Promise<Reply<typeof takeOrphanedScenes>> {
      if (!actor.administrator) throw new Refusal('orphans need administrator')
      access.refuseUnlessManages(actor)
      await control.redeemGrant(actor, Grant ?? null, `automation:scene:orphans:${project.id}`)
      const orphans = await orphansIn(actor, { projectIds: [project.id] })
      let taken = 0
      for (const { sceneId } of orphans) {
        try {
          const { version, name } = await access.toChange(actor, sceneId)
          const owner = { accountId: actor.accountId, name: actor.userName }
          const audit = {
            ...by(actor, clock(), 'scene.owner', project.ownerId),
            ...{ subject: about('scene', sceneId), target: name },
          }
          if (await takeScene(database, { sceneId, version, owner }, audit)) taken++
        } catch (error) {
          // What is seen in part, or was removed meanwhile, stays as it is.
          if (!(error instanceof Refusal)) throw error
        }
      }
      return { Taken: taken, Left: orphans.length - taken }
    },
  }

  /** Of those that the reader sees. Rights are asked as they are now, which the database does not know. */
  async function orphansIn(actor: Actor, filter: Parameters<typeof sceneIdsBy>[1]): Promise<readonly OwnedScene[]> {
    const ids = await withRowSecurity(database, actor.scope, ({ general }) => sceneIdsBy(general, filter))
    const owned = await ownersOfScenes(database.general, ids)
    const orphans = await access.records.orphansOf(owned)
    return owned.filter(({ sceneId }) => orphans.has(sceneId))
  }
}
