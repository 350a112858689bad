import type { LinkagePermit, SceneItem } from '@linewarden/contract'
import type { SceneAction } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import { lineOf } from './linkage-lines.ts'
import { wireTruth } from './linkage-named.ts'
import { bars, createLinkageParts } from './linkage-parts.ts'
import type { ViewOf } from './linkage-records.ts'
import { markOf } from './linkage-records.ts'
import type { SceneAccess } from './scene-access.ts'

export type LinkagePermits = ReturnType<typeof createLinkagePermits>

/** What a linkage would do if a person had it run now, for whoever is about to. */
export function createLinkagePermits(
  { database, plant, control, clock }: AutomationDeps,
  access: LinkageAccess,
  scenes: SceneAccess,
  viewOf: ViewOf,
) {
  const { mayBeDanger } = createLinkageParts(plant)
  return { permit, confirmed }

  async function permit(actor: Actor, linkageId: number): Promise<LinkagePermit> {
    const linkage = await access.seen(actor, linkageId)
    await access.refuseUnlessWhole(actor, linkage)
    const { operated, raises, orders, disabled } = await doneBy(linkage)
    const [trips, closes] = [linesTo(operated, 'trip'), linesTo(operated, 'close')]
    const unmet = new Map<string, SceneItem['Unmet']>()
    for (const each of (await control.interlocks.permitsOf(actor, closes, 'close')).items)
      unmet.set(
        nameOf(each),
        each.Unmet.map(({ Key, Why, What }) => ({ Key, Text: Why ?? What })),
      )
    const { key, text } = bars.barred
    const barred = !linkage.mayClose || mayBeDanger(linkage) ? [{ Key: key, Text: { zh: text.zh, en: text.en } }] : null
    const view = viewOf(linkage)
    return {
      ...{ LinkageID: linkage.linkageId, Name: linkage.name, Version: linkage.version },
      ...{ Mark: markOf(linkage, view), State: wireTruth(view.truth) },
      Items: operated.map(({ line, action, delayS }, index) => {
        const item = scenes.records.itemOf(actor, line, action, index)
        const against = action === 'trip' || item.Match === 'inForce' ? item.Unmet : (unmet.get(nameOf(item)) ?? item.Unmet)
        return { ...item, Unmet: action === 'close' && barred ? barred : against, DelayS: delayS }
      }),
      ...{ Raises: raises, Orders: orders, DisabledScenes: disabled },
      ...(await scenes.impactsOf(trips, barred ? [] : closes)),
      At: clock(),
    }
  }

  /**
   * Refuses what is not confirmed; of what it may not close nobody has to confirm anything. Answers what it does to lines, also later, and also
   * what it may not.
   */
  async function confirmed(linkage: StoredLinkage, typed: number | null): Promise<readonly { readonly Action: SceneAction }[]> {
    const { operated } = await doneBy(linkage)
    const mayClose = linkage.mayClose && !mayBeDanger(linkage)
    await scenes.refuseUnlessConfirmed(linesTo(operated, 'trip'), mayClose ? linesTo(operated, 'close') : [], typed)
    return operated.map(({ action }) => ({ Action: action }))
  }

  async function doneBy(linkage: StoredLinkage) {
    const { projectId, actions } = linkage
    const hasScenes = actions.some(({ sceneId }) => sceneId !== null)
    const known = new Map((hasScenes ? await scenesOf(database.general, [projectId]) : []).map((each) => [each.sceneId, each]))
    const operated: Operated[] = []
    const raises: string[] = []
    const orders: string[] = []
    const disabled: string[] = []
    const add = (lineId: number, action: SceneAction, delayS: number) => {
      const line = lineOf(plant, linkage, lineId)
      const isThere = operated.some((each) => each.line.id === lineId && each.action === action && each.delayS === delayS)
      if (line && !isThere) operated.push({ line, action, delayS })
    }
    for (const { kind, lineId, sceneId, delayS } of actions) {
      if (lineId !== null && kind === 'raise') raises.push(lineOf(plant, linkage, lineId)?.name ?? '')
      else if (lineId !== null && kind === 'workorder') orders.push(lineOf(plant, linkage, lineId)?.name ?? '')
      else if (lineId !== null && (kind === 'trip' || kind === 'close')) add(lineId, kind, delayS)
      const scene = sceneId === null ? undefined : known.get(sceneId)
      if (scene && !scene.enabled) disabled.push(scene.name)
      if (scene?.enabled) for (const item of scene.items) add(item.lineId, item.action, delayS)
    }
    // Of one line that is to be tripped and closed at once the trip counts.
    const isTripped = new Set(operated.flatMap(({ line, action, delayS }) => (action === 'trip' && delayS === 0 ? line.id : [])))
    const left = operated.filter(({ line, action, delayS }) => action === 'trip' || delayS > 0 || !isTripped.has(line.id))
    return { operated: left.toSorted(byDelayThenTrips), raises, orders, disabled }
  }
}

interface Operated {
  readonly line: PlantLine
  readonly action: SceneAction
  readonly delayS: number
}

const byDelayThenTrips = (one: Operated, other: Operated): number =>
  one.delayS - other.delayS || Number(one.action === 'close') - Number(other.action === 'close')

const linesTo = (operated: readonly Operated[], action: SceneAction): readonly PlantLine[] => [
  ...new Set(operated.flatMap((each) => (each.action === action ? each.line : []))),
]

const nameOf = ({ ControllerID, LineNo }: { readonly ControllerID: string; readonly LineNo: number }): string =>
  `${ControllerID}/${LineNo}`
