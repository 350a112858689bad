import type { Linkage } from '@linewarden/contract'
import type { Truth } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'
import type { Gone } from './linkage-gone.ts'
import { createGoneLinkages } from './linkage-gone.ts'
import { lineOf } from './linkage-lines.ts'
import type { LinkageView } from './linkage-view.ts'

/** What a linkage names, as people read it: also what is in its project no more, for whoever is to take it out. */
export function createNamedRecords(deps: Pick<AutomationDeps, 'database' | 'plant'>) {
  const { plant } = deps
  const { isHidden, visibleStored, visibleName } = createGoneLinkages(deps)
  return { condition, lineAction, sceneAction }

  function condition(actor: Actor, linkage: StoredLinkage, index: number, view: LinkageView, gone: Gone): Linkage['Conditions'] {
    const condition = linkage.conditions[index]
    const now = view.conditions[index]
    if (!condition || !now) return []
    const line = lineOf(plant, linkage, condition.lineId)
    const stored = line ? null : visibleStored(actor, linkage, gone.lines.get(condition.lineId))
    return [
      {
        ...{ Kind: condition.kind, LineID: condition.lineId, Gone: line === null },
        ControllerID: line?.device.controllerId ?? stored?.controllerId ?? null,
        LineNo: line?.lineNo ?? stored?.lineNo ?? null,
        LineName: line?.name ?? stored?.name ?? '',
        Family: line?.device.family.key ?? gone.lines.get(condition.lineId)?.family ?? '',
        ...{ Key: condition.key, Op: condition.op, Value: condition.value, Release: condition.release },
        ...{ ForS: condition.forS, Last: now.value, At: now.at, State: wireTruth(now.truth), Since: now.since },
      },
    ]
  }

  function lineAction(
    actor: Actor,
    linkage: StoredLinkage,
    { kind, lineId, delayS, order }: StoredAction,
    gone: Gone,
  ): Linkage['Actions'] {
    const line = lineOf(plant, linkage, lineId ?? 0)
    if (line && !actor.seesGateway(line.device.gateway)) return []
    const rest = { SceneID: null, SceneName: null, Gone: line === null, DelayS: delayS, Order: orderRecord(actor, order) }
    if (line) return [{ Kind: kind, ...placeOf(line), ...rest }]
    if (isHidden(actor, linkage, gone.lines.get(lineId ?? 0))) return []
    const stored = visibleStored(actor, linkage, gone.lines.get(lineId ?? 0))
    const place = { ControllerID: stored?.controllerId ?? null, LineNo: stored?.lineNo ?? null, LineName: stored?.name ?? null }
    return [{ Kind: kind, LineID: lineId, ...place, ...rest }]
  }

  /** `name`: null: the scene was removed. */
  function sceneAction(
    actor: Actor,
    linkage: StoredLinkage,
    { kind, sceneId, delayS }: StoredAction,
    name: string | null,
    gone: Gone,
  ): Linkage['Actions'] {
    const SceneName = name ?? visibleName(actor, linkage, gone.scenes.get(sceneId ?? 0))
    return [{ Kind: kind, ...placeOf(null), SceneID: sceneId, SceneName, Gone: name === null, DelayS: delayS, Order: null }]
  }
}

const orderRecord = (actor: Actor, order: StoredAction['order']): Linkage['Actions'][number]['Order'] =>
  order && {
    ...{ Title: order.title, Priority: order.priority },
    PersonInCharge: order.personId === null || actor.shared ? null : { AccountID: order.personId, Name: order.personName },
  }

export const wireTruth = (truth: Truth) => (truth === 'unknown' ? 'unknown' : truth ? 'true' : 'false')

/** A line as a row names it; nulls: there is none. */
export const placeOf = (line: PlantLine | null) => ({
  ...{ LineID: line?.id ?? null, ControllerID: line?.device.controllerId ?? null },
  ...{ LineNo: line?.lineNo ?? null, LineName: line?.name ?? null },
})
