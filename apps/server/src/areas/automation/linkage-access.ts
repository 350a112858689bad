import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { SceneLines, StoredLinkage } from '../../store/automation/linkage.ts'
import { linkageById, sceneLinesOf } from '../../store/automation/linkage.ts'
import type { StoredLine } from '../../store/automation/linkage-broken.ts'
import { storedLines } from '../../store/automation/linkage-broken.ts'
import type { AutomationDeps } from './deps.ts'
import { isThereUnknown, lineIdsOf, lineOf, linesOf } from './linkage-lines.ts'

export type LinkageAccess = ReturnType<typeof createLinkageAccess>

/** What linkages reach beside the lines that they name. */
export interface LinkageReach {
  readonly scenes: SceneLines
  /** Lines that this server does not know in the project of their linkage, as they are stored. */
  readonly unknown: ReadonlyMap<number, StoredLine>
}

/** Who may see and do what with a linkage. */
export function createLinkageAccess({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return {
    seen,
    toChange,
    reachOf,
    refuseUnlessManages,
    refuseUnlessWhole,
    seesPart,
    seesScene,
    isWholeTo,
    isOrphan,
  }

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
    if (!isWholeTo(actor, linkage, await reachOf([linkage]))) throw new Refusal('linkage seen in part')
  }

  /** What a server does not know the database is asked for: another server may have it. */
  async function reachOf(linkages: readonly StoredLinkage[]): Promise<LinkageReach> {
    const scenes = await sceneLinesOf(database.general, linkages)
    const missing = linkages.flatMap((linkage) => reachedIds(linkage, scenes).filter((id) => lineOf(plant, linkage, id) === null))
    return { scenes, unknown: await storedLines(database.general, [...new Set(missing)]) }
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
   * nothing is done to it. What is there and not known to this server is seen by those only who see all of the project.
   */
  function isWholeTo(actor: Actor, linkage: StoredLinkage, { scenes, unknown }: LinkageReach): boolean {
    return reachedIds(linkage, scenes).every((id) => {
      const line = lineOf(plant, linkage, id)
      if (line) return actor.seesGateway(line.device.gateway)
      return !isThereUnknown(linkage, unknown.get(id)) || actor.sees(linkage.projectId)
    })
  }

  /** One that has no line left, as a linkage. */
  function seesScene(actor: Actor, linkage: StoredLinkage, sceneId: number, { scenes }: LinkageReach): boolean {
    const lines = (scenes.get(sceneId) ?? []).flatMap((id) => lineOf(plant, linkage, id) ?? [])
    if (lines.length === 0) return actor.sees(linkage.projectId)
    return lines.some((line) => actor.seesGateway(line.device.gateway))
  }

  /** Nobody is asked when it fires: it needs somebody who may do all of it. */
  function isOrphan(linkage: StoredLinkage, owner: Actor | null, reach: LinkageReach): boolean {
    if (!owner || owner.shared || !permits('lineSwitch', owner) || !permits('manageScene', owner)) return true
    if (makesOrders(linkage) && !permits('hazard.workorder', owner)) return true
    return !isWholeTo(owner, linkage, reach)
  }
}

export const makesOrders = ({ actions }: Pick<StoredLinkage, 'actions'>): boolean =>
  actions.some(({ kind }) => kind === 'workorder')

const reachedIds = (linkage: StoredLinkage, scenes: SceneLines): readonly number[] => [
  ...lineIdsOf(linkage),
  ...linkage.actions.flatMap(({ sceneId }) => (sceneId === null ? [] : (scenes.get(sceneId) ?? []))),
]
