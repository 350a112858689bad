import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Truth } from '@linewarden/rules/automation'
import { isDangerTrip, maxClosesPerHour, mayCloseAgain } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { LinkageOperation, NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { closesOf, lockCloses } from '../../store/automation/linkage-run.ts'
import type { NewSceneOfRun } from '../../store/automation/outer-run.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { sceneById } from '../../store/automation/scene.ts'
import type { GroupLineRefusal } from '../../store/control/group-operation.ts'
import type { Schema } from '../../store/core/schema.ts'
import { wordOf } from '../control/group-operation-records.ts'
import { sourceOf } from './linkage-draft.ts'
import { sceneOfRun, waiting } from './scene-of-run.ts'

/** Why a firing closes nothing. `barred`: it may not at all. `follows`: a danger, or it itself, may have led to what it fires for. */
export type CloseBar = 'barred' | 'follows' | 'unobserved' | 'late' | 'conditionOver' | 'tripsOnly'

export const bars: Readonly<Record<CloseBar, { readonly key: string; readonly text: Text }>> = {
  barred: { key: 'linkage may not close', text: { zh: '联动不允许合闸', en: 'The linkage may not close lines' } },
  follows: {
    key: 'linkage may not close',
    text: {
      zh: '可能由火警、燃气、电弧、漏电或本联动引起，不自动合闸',
      en: 'Fire, gas, arc, leakage or this linkage may have led to it: nothing is closed by itself',
    },
  },
  unobserved: {
    key: 'unobserved',
    text: {
      zh: '条件在服务中断期间成立，无人观察到，不自动合闸',
      en: 'Its conditions came to be true while nobody observed it: nothing is closed by itself',
    },
  },
  late: {
    key: 'late',
    text: { zh: '已错过合闸时刻，不再补合', en: 'The time for this close has passed: it is not made up for' },
  },
  conditionOver: {
    key: 'conditionOver',
    text: { zh: '到时条件已不成立，不合闸', en: 'By then its conditions were no longer true: it is not closed' },
  },
  tripsOnly: {
    key: 'tripsOnly',
    text: {
      zh: '立即执行时只有分闸，此后才启用的合闸不执行',
      en: 'When it was run it only tripped: what came to close a line since is not done',
    },
  },
}
const tooOften = {
  key: 'closesPerHour',
  text: {
    zh: `该线路一小时内自动合闸已达 ${maxClosesPerHour} 次，未合闸`,
    en: `Automation has closed this line ${maxClosesPerHour} times within an hour: it is not closed again`,
  },
}

const cutHere = {
  key: 'cutHere',
  text: { zh: '同一联动要断开该线路，不合闸', en: 'The same linkage opens this line: it is not closed' },
}
const closedHere = {
  key: 'closedHere',
  text: { zh: '同一联动的另一场景会合上该线路', en: 'Another scene of the same linkage closes this line' },
}

const fateOf = (refusal: GroupLineRefusal | null) => ({ state: refusal ? ('refused' as const) : ('waiting' as const), refusal })

/** What a linkage does to lines, and what of it may not be done. */
export function createLinkageParts(plant: Plant) {
  return { partsOf, mayBeDanger, isDanger }

  /**
   * What is operated and raised, its scenes as runs of their own inside this one; trips before closes. `bar`: why nothing of
   * it is closed; null: nothing stands against it as a whole.
   */
  async function partsOf(
    trx: Kysely<Schema>,
    linkage: StoredLinkage,
    executionId: string,
    actions: readonly StoredAction[],
    at: number,
    bar: CloseBar | null,
  ) {
    const trips = new Set<number>()
    const closes = new Set<number>()
    const scenes = new Map<number, StoredScene>()
    let isSceneDisabled = false
    for (const { kind, lineId, sceneId } of actions) {
      if (lineId !== null && kind === 'trip') trips.add(lineId)
      if (lineId !== null && kind === 'close') closes.add(lineId)
      if (sceneId === null) continue
      const scene = await sceneById(trx, sceneId)
      if (!scene?.enabled) isSceneDisabled = true
      else scenes.set(sceneId, scene)
    }
    const items = [...scenes.values()].flatMap((scene) => scene.items)
    // Of one line that is to be tripped and closed the trip counts.
    const cut = new Set([...trips, ...items.flatMap(({ action, lineId }) => (action === 'trip' ? lineId : []))])
    const byScenes = new Set(items.flatMap(({ action, lineId }) => (action === 'close' && !cut.has(lineId) ? lineId : [])))
    // What a scene closes it closes by its own rules, and once.
    const own = [...closes].filter((lineId) => !cut.has(lineId) && !byScenes.has(lineId))
    const wanted = [...own, ...byScenes]
    const against = !linkage.mayClose || mayBeDanger(linkage) ? 'barred' : bar
    const often = wanted.length > 0 && against === null ? await tooOftenClosed(trx, linkage, wanted, at) : []
    const refusalOf = (lineId: number) => (against ? bars[against] : often.includes(lineId) ? tooOften : null)
    const operations = (
      [
        ['trip', [...trips]],
        ['close', own],
      ] as const
    ).flatMap(([action, lineIds]): LinkageOperation[] => {
      const lines = lineIds.map((lineId) => {
        const fate = fateOf(action === 'close' ? refusalOf(lineId) : null)
        return { lineId, commandId: namedUuid(executionId, lineId, action), ...fate }
      })
      return lines.length === 0 ? [] : [{ operationId: namedUuid(executionId, action), action, lines }]
    })
    const outer = {
      ...({ executionId, source: 'linkage', sourceId: linkage.linkageId, projectId: linkage.projectId } as const),
      ...{ name: linkage.name, accountId: linkage.ownerId, actor: linkage.ownerName },
    }
    const closed = new Set<number>()
    const run = [...scenes.values()].map((scene) => {
      let stops = false
      return sceneOfRun(outer, scene, (lineId, action) => {
        if (action === 'trip') return waiting
        if (cut.has(lineId)) return { state: 'skipped', refusal: cutHere }
        if (closed.has(lineId)) return { state: 'skipped', refusal: closedHere }
        closed.add(lineId)
        const refusal = refusalOf(lineId) ?? (stops ? wordOf(new Refusal('scene stops closing')) : null)
        stops ||= refusal !== null && scene.ifRefused === 'stopCloses'
        return fateOf(refusal)
      })
    })
    const raises = actions.flatMap(({ kind, lineId }) => (kind === 'raise' && lineId !== null ? lineId : []))
    const orders = actions.filter(({ kind }) => kind === 'workorder')
    return { operations, scenes: run, raises, orders, isTooOften: often.length > 0, isSceneDisabled }
  }

  async function tooOftenClosed(trx: Kysely<Schema>, linkage: StoredLinkage, lineIds: readonly number[], at: number) {
    await lockCloses(trx, linkage.projectId)
    const had = await closesOf(trx, lineIds, at)
    return lineIds.filter((lineId) => !mayCloseAgain(had.get(lineId) ?? [], at))
  }

  /** Whether one of its conditions reads fire, gas, arc or leakage, or may tell of one; of a line that is gone that is not known. */
  function mayBeDanger({ conditions }: StoredLinkage): boolean {
    return conditions.some((condition) => {
      const line = plant.lines.get(condition.lineId)
      return !line || (sourceOf(line, condition)?.barsCloses ?? true)
    })
  }

  /** A trip for a danger that is there now: no limit holds it up. */
  function isDanger({ conditions, actions }: StoredLinkage, truths: readonly Truth[]): boolean {
    return isDangerTrip(
      actions.map(({ kind }) => kind),
      conditions.map((condition, index) => {
        const line = plant.lines.get(condition.lineId)
        return { truth: truths[index] ?? 'unknown', isDanger: (line && sourceOf(line, condition)?.isDanger) ?? false }
      }),
    )
  }
}

export type RunHead = Pick<NewLinkageRun, 'executionId' | 'at' | 'cause' | 'parentId' | 'afterDanger' | 'trace'>

/** A scene that is disabled does nothing, and its run says so. */
export function runOf(
  head: RunHead,
  {
    operations,
    scenes,
    raises,
    orders,
    isSceneDisabled,
  }: {
    readonly operations: readonly LinkageOperation[]
    readonly scenes: readonly NewSceneOfRun[]
    readonly raises: readonly number[]
    readonly orders: readonly unknown[]
    readonly isSceneDisabled: boolean
  },
): NewLinkageRun {
  const lines = [...operations, ...scenes.flatMap((scene) => scene.operations)].flatMap((operation) => operation.lines)
  const why = isSceneDisabled ? 'sceneDisabled' : null
  if (lines.some(({ state }) => state === 'waiting')) return { ...head, state: 'running', why, operations, scenes }
  const refused = lines.find(({ state }) => state === 'refused')?.refusal?.key ?? why
  // Whoever carries it out ends its scenes with it.
  if (scenes.length > 0) return { ...head, state: 'running', why: refused, operations, scenes }
  if (lines.length > 0) return { ...head, state: 'refused', why: refused, operations, scenes }
  return { ...head, state: why !== null && raises.length + orders.length === 0 ? 'refused' : 'done', why, operations, scenes }
}
