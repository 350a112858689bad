import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { SceneLines, StoredLinkage } from '../../store/automation/linkage.ts'
import { linkageById, sceneLinesOf } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'
import { lineOf, linesOf } from './linkage-lines.ts'

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

  /** A line that was moved to another project takes no linkage along. One that has no line left is for whoever sees the project whole. */
  function seesPart(actor: Actor, linkage: StoredLinkage): boolean {
    const lines = linesOf(plant, linkage)
    if (lines.length === 0) return actor.sees(linkage.projectId)
    return lines.some((line) => actor.seesGateway(line.device.gateway))
  }

  /**
   * With the lines of its scenes: what they do, it does. What is in the project no more keeps nobody from it, or nobody could ever take it out:
   * nothing is done to it.
   */
  function isWholeTo(actor: Actor, linkage: StoredLinkage, scenes: SceneLines): boolean {
    const ofScenes = linkage.actions.flatMap(({ sceneId }) => (sceneId === null ? [] : linesOfScene(linkage, sceneId, scenes)))
    return [...linesOf(plant, linkage), ...ofScenes].every((line) => actor.seesGateway(line.device.gateway))
  }

  /** One that has no line left, as a linkage. */
  function seesScene(actor: Actor, linkage: StoredLinkage, sceneId: number, scenes: SceneLines): boolean {
    const lines = linesOfScene(linkage, sceneId, scenes)
    if (lines.length === 0) return actor.sees(linkage.projectId)
    return lines.some((line) => actor.seesGateway(line.device.gateway))
  }

  /** Nobody is asked when it fires: it needs somebody who may do all of it. */
  function isOrphan(linkage: StoredLinkage, owner: Actor | null, scenes: SceneLines): boolean {
    if (!owner || owner.shared || !permits('lineSwitch', owner) || !permits('manageScene', owner)) return true
    return !isWholeTo(owner, linkage, scenes)
  }

  function linesOfScene(linkage: StoredLinkage, sceneId: number, scenes: SceneLines): readonly PlantLine[] {
    return (scenes.get(sceneId) ?? []).flatMap((id) => lineOf(plant, linkage, id) ?? [])
  }
}
