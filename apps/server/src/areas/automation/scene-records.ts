import type { Scene, SceneItem } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { drawnSwitch, sceneMatch } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { lastExecutions } from '../../store/automation/execution-list.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { createSceneOwners } from './scene-owners.ts'

/** Scenes as their calls answer them: with the lines that the reader sees, and how each stands now. */
export function createSceneRecords({ database, plant, control, actorNow, clock }: AutomationDeps) {
  const { orphansOf } = createSceneOwners(actorNow, seesAll)
  return { of, one, orphansOf, linesOf, itemOf, seesPart, isWholeTo }

  async function of(actor: Actor, scenes: readonly StoredScene[]): Promise<readonly Scene[]> {
    const ids = scenes.map(({ sceneId }) => sceneId)
    const lastRuns = await withRowSecurity(database, actor.scope, ({ general }) => lastExecutions(general, 'scene', ids))
    const orphans = await orphansOf(scenes.map((scene) => ({ ...scene, lineIds: lineIdsOf(scene) })))
    return scenes.flatMap((scene) => {
      const project = plant.projects.get(scene.projectId)
      if (!project) return []
      const Items = linesOf(scene).flatMap(({ line, action, order }) =>
        line && actor.seesGateway(line.device.gateway) ? [itemOf(actor, line, action, order)] : [],
      )
      const count = (match: SceneItem['Match']) => Items.filter(({ Match }) => Match === match).length
      const last = lastRuns.get(scene.sceneId)
      return {
        SceneID: scene.sceneId,
        HouseID: scene.projectId,
        HouseName: project.name,
        Name: scene.name,
        Icon: scene.icon,
        IfRefused: scene.ifRefused,
        Enabled: scene.enabled,
        OwnerName: scene.ownerName,
        Orphan: orphans.has(scene.sceneId),
        Version: scene.version,
        ChangedAt: scene.changedAt,
        Whole: Items.length === scene.items.length,
        Total: Items.length,
        InForce: count('inForce'),
        Mismatched: count('mismatch'),
        Unknown: count('unknown'),
        Items,
        LastRun: last ? { RunID: last.executionId, At: last.claimedAt, State: last.state, Actor: last.actor } : null,
      }
    })
  }

  async function one(actor: Actor, scene: StoredScene): Promise<Scene> {
    const [record] = await of(actor, [scene])
    if (!record) throw new Error(`no record of scene ${scene.sceneId}`)
    return record
  }

  /** Its lines as the plant has them; null: it is not there any more. */
  function linesOf({ items }: Pick<StoredScene, 'items'>) {
    return items.map((item) => ({ ...item, line: plant.lines.get(item.lineId) ?? null }))
  }

  function seesPart(actor: Actor, scene: StoredScene): boolean {
    return linesOf(scene).some(({ line }) => line !== null && actor.seesGateway(line.device.gateway))
  }

  function isWholeTo(actor: Actor, scene: StoredScene): boolean {
    return seesAll(actor, { lineIds: lineIdsOf(scene) })
  }

  function seesAll(actor: Actor, { lineIds }: { readonly lineIds: readonly number[] }): boolean {
    return lineIds.every((lineId) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    })
  }

  function itemOf(actor: Actor, line: PlantLine, action: SceneItem['Action'], order: number): SceneItem {
    const facts = control.interlocks.factsOf(line)
    const now = clock()
    const match = sceneMatch(action, facts, now)
    return {
      LineID: line.id,
      ControllerID: line.device.controllerId,
      LineNo: line.lineNo,
      LineName: line.name,
      GatewayName: line.device.gateway.name,
      Action: action,
      Order: order,
      Match: match,
      Position: facts.position,
      Switch: drawnSwitch(facts, now),
      Unmet: action === 'close' && match === 'inForce' ? [] : unmet(actor, line, action),
    }
  }

  /** Nothing stands against a trip but one's own rights; whether it gets there is said all the same. */
  function unmet(actor: Actor, line: PlantLine, action: SceneItem['Action']): SceneItem['Unmet'] {
    const own = control.interlocks.blockReasons({ line, action, actor })
    const away =
      action === 'trip'
        ? control.interlocks
            .blockReasons({ line, action: 'close', actor })
            .filter(({ key }) => key === 'online' || key === 'reachable')
        : []
    return [...own, ...away].map(({ key, why, what }) => ({ Key: key, Text: copyOf(why ?? what) }))
  }
}

const lineIdsOf = ({ items }: Pick<StoredScene, 'items'>): readonly number[] => items.map(({ lineId }) => lineId)
const copyOf = ({ zh, en }: Text) => ({ zh, en })
