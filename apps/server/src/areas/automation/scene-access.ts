import type { ScenePermit } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { SceneAction } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { sceneById } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import { createSceneRecords } from './scene-records.ts'

export type SceneAccess = ReturnType<typeof createSceneAccess>

/** Who may do what with a scene, and what that moves. */
export function createSceneAccess(deps: AutomationDeps) {
  const { database, control } = deps
  const records = createSceneRecords(deps)
  return { records, seen, toChange, refuseUnlessWhole, refuseUnlessManages, linesFor, impactsOf, refuseUnlessConfirmed }

  /** It is there, and the actor sees a line of it. */
  async function seen(actor: Actor, sceneId: number): Promise<StoredScene> {
    const scene = await sceneById(database.general, sceneId)
    if (!scene || !records.seesPart(actor, scene)) throw new Refusal('scene not exists')
    return scene
  }

  async function toChange(actor: Actor, sceneId: number): Promise<StoredScene> {
    const scene = await seen(actor, sceneId)
    refuseUnlessManages(actor)
    refuseUnlessWhole(actor, scene)
    return scene
  }

  function refuseUnlessWhole(actor: Actor, scene: StoredScene): void {
    if (!records.isWholeTo(actor, scene)) throw new Refusal('scene seen in part')
  }

  /** Whoever may not operate lines makes nothing that does. */
  function refuseUnlessManages(actor: Actor): void {
    if (!permits('manageScene', actor)) throw new Refusal('scene needs management')
    if (!permits('lineSwitch', actor)) throw new Refusal('scene needs device control')
  }

  function linesFor(actor: Actor, scene: StoredScene, action: SceneAction): PlantLine[] {
    return records
      .linesOf(scene)
      .flatMap(({ line, ...item }) => (item.action === action && line && actor.seesGateway(line.device.gateway) ? line : []))
  }

  /** Which load it moves, and the number of lines that a person confirms: of both together, where one of them asks. */
  async function impactsOf(
    trips: readonly PlantLine[],
    closes: readonly PlantLine[],
  ): Promise<Pick<ScenePermit, 'Trips' | 'Closes' | 'Confirm'>> {
    const Trips = trips.length > 0 ? await control.impactOf(trips, 'trip') : null
    const Closes = closes.length > 0 ? await control.impactOf(closes, 'close') : null
    const all = [Trips, Closes].filter((impact) => impact !== null)
    const asks = all.some(({ Confirm }) => Confirm !== null)
    return { Trips, Closes, Confirm: asks ? all.reduce((sum, { Lines, Fed }) => sum + Lines + Fed, 0) : null }
  }

  /** What only trips is not refused because an upstream line was registered anew meanwhile. */
  async function refuseUnlessConfirmed(
    trips: readonly PlantLine[],
    closes: readonly PlantLine[],
    typed: number | null,
  ): Promise<void> {
    const { Confirm } = await impactsOf(trips, closes)
    const isConfirmed = typed !== null && (closes.length === 0 ? typed >= trips.length : typed === Confirm)
    if (Confirm !== null && !isConfirmed) throw new Refusal('confirmation needed', { count: Confirm })
  }
}
