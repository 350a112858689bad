import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { SceneLines, StoredLinkage } from '../../store/automation/linkage.ts'
import { linkageById, sceneLinesOf } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'

export type LinkageAccess = ReturnType<typeof createLinkageAccess>

/** Who may see and do what with a linkage. */
export function createLinkageAccess({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return { seen, toChange, refuseUnlessManages, refuseUnlessWhole, seesPart, seesScene, isWholeTo, isOrphan }

  /** It is there, and the actor sees a line of it. */
  async function seen(actor: Actor, linkageId: number): Promise<StoredLinkage> {
    const linkage = await linkageById(database.general, linkageId)
    if (!linkage || !seesPart(actor, linkage)) throw new Refusal('linkage not exists')
    return linkage
  }

  async function toChange(actor: Actor, linkageId: number): Promise<StoredLinkage> {
    const linkage = await seen(actor, linkageId)
    refuseUnlessManages(actor)
    await refuseUnlessWhole(actor, linkage)
    return linkage
  }

  async function refuseUnlessWhole(actor: Actor, linkage: StoredLinkage): Promise<void> {
    if (!isWholeTo(actor, linkage, await sceneLinesOf(database.general, [linkage]))) throw new Refusal('linkage seen in part')
  }

  /** Whoever may not operate lines makes nothing that does. */
  function refuseUnlessManages(actor: Actor): void {
    if (!permits('manageScene', actor)) throw new Refusal('access denied')
    if (!permits('lineSwitch', actor)) throw new Refusal('linkage needs device control')
  }

  /** A line that was moved to another project takes no linkage along. */
  function seesPart(actor: Actor, linkage: StoredLinkage): boolean {
    return linesOf(linkage).some(
      (line) => line?.device.gateway.project.id === linkage.projectId && actor.seesGateway(line.device.gateway),
    )
  }

  /** With the lines of its scenes: what they do, it does. */
  function isWholeTo(actor: Actor, linkage: StoredLinkage, scenes: SceneLines): boolean {
    const ofScenes = linkage.actions.flatMap(({ sceneId }) => (sceneId === null ? [] : linesOfScene(sceneId, scenes)))
    return [...linesOf(linkage), ...ofScenes].every((line) => line !== null && actor.seesGateway(line.device.gateway))
  }

  function seesScene(actor: Actor, sceneId: number, scenes: SceneLines): boolean {
    return linesOfScene(sceneId, scenes).some((line) => line !== null && actor.seesGateway(line.device.gateway))
  }

  /** Nobody is asked when it fires: it needs somebody who may do all of it. */
  function isOrphan(linkage: StoredLinkage, owner: Actor | null, scenes: SceneLines): boolean {
    if (!owner || owner.shared || !permits('lineSwitch', owner) || !permits('manageScene', owner)) return true
    return !isWholeTo(owner, linkage, scenes)
  }

  function linesOf({ conditions, actions }: StoredLinkage): readonly (PlantLine | null)[] {
    return [...conditions, ...actions].flatMap(({ lineId }) => (lineId === null ? [] : (plant.lines.get(lineId) ?? null)))
  }

  function linesOfScene(sceneId: number, scenes: SceneLines): readonly (PlantLine | null)[] {
    return (scenes.get(sceneId) ?? []).map((id) => plant.lines.get(id) ?? null)
  }
}
