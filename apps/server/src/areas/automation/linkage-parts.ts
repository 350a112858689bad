import type { Text } from '@linewarden/equipment'
import type { Truth } from '@linewarden/rules/automation'
import { isDangerTrip, maxClosesPerHour, mayCloseAgain } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { LinkageOperation, NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { closesOf, lockCloses } from '../../store/automation/linkage-run.ts'
import { sceneById } from '../../store/automation/scene.ts'
import type { Schema } from '../../store/core/schema.ts'
import { sourceOf } from './linkage-draft.ts'

/** Why a firing closes nothing. `barred`: it may not at all, or what caused it may not. */
export type CloseBar = 'barred' | 'unobserved' | 'late' | 'conditionOver'

export const bars: Readonly<Record<CloseBar, { readonly key: string; readonly text: Text }>> = {
  barred: { key: 'linkage may not close', text: { zh: '联动不允许合闸', en: 'The linkage may not close lines' } },
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
}
const tooOften = {
  key: 'closesPerHour',
  text: {
    zh: `该线路一小时内自动合闸已达 ${maxClosesPerHour} 次，未合闸`,
    en: `Automation has closed this line ${maxClosesPerHour} times within an hour: it is not closed again`,
  },
}

/** What a linkage does to lines, and what of it may not be done. */
export function createLinkageParts(plant: Plant) {
  return { partsOf, mayBeDanger, isDanger }

  /**
   * What is operated and raised, its scenes resolved to their lines; trips before closes, closes in the order of their scene. `bar`: why nothing of
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
    let isSceneDisabled = false
    for (const { kind, lineId, sceneId } of actions) {
      if (lineId !== null && kind === 'trip') trips.add(lineId)
      if (lineId !== null && kind === 'close') closes.add(lineId)
      if (sceneId === null) continue
      const scene = await sceneById(trx, sceneId)
      if (!scene?.enabled) isSceneDisabled = true
      else for (const item of scene.items) (item.action === 'trip' ? trips : closes).add(item.lineId)
    }
    // Of one line that is to be tripped and closed the trip counts.
    const wanted = [...closes].filter((lineId) => !trips.has(lineId))
    const against = !linkage.mayClose || mayBeDanger(linkage) ? 'barred' : bar
    const often = wanted.length > 0 && against === null ? await tooOftenClosed(trx, linkage, wanted, at) : []
    const refusalOf = (lineId: number, action: 'trip' | 'close') => {
      if (action === 'trip') return null
      return against ? bars[against] : often.includes(lineId) ? tooOften : null
    }
    const lineOf = (lineId: number, action: 'trip' | 'close'): LinkageOperation['lines'][number] => {
      const refusal = refusalOf(lineId, action)
      return { lineId, commandId: namedUuid(executionId, lineId, action), state: refusal ? 'refused' : 'waiting', refusal }
    }
    const operations = (
      [
        ['trip', [...trips]],
        ['close', wanted],
      ] as const
    ).flatMap(([action, lineIds]): LinkageOperation[] =>
      lineIds.length === 0
        ? []
        : [{ operationId: namedUuid(executionId, action), action, lines: lineIds.map((lineId) => lineOf(lineId, action)) }],
    )
    const raises = actions.flatMap(({ kind, lineId }) => (kind === 'raise' && lineId !== null ? lineId : []))
    return { operations, raises, isTooOften: often.length > 0, isSceneDisabled }
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

export type RunHead = Pick<NewLinkageRun, 'executionId' | 'at' | 'cause' | 'parentId' | 'trace'>

/** A scene that is disabled does nothing, and its run says so. */
export function runOf(
  head: RunHead,
  {
    operations,
    raises,
    isSceneDisabled,
  }: {
    readonly operations: readonly LinkageOperation[]
    readonly raises: readonly number[]
    readonly isSceneDisabled: boolean
  },
): NewLinkageRun {
  const lines = operations.flatMap((operation) => operation.lines)
  const why = isSceneDisabled ? 'sceneDisabled' : null
  if (lines.some(({ state }) => state === 'waiting')) return { ...head, state: 'running', why, operations }
  if (lines.length > 0) return { ...head, state: 'refused', why: lines[0]?.refusal?.key ?? why, operations }
  return { ...head, state: why !== null && raises.length === 0 ? 'refused' : 'done', why, operations }
}
