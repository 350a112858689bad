import type { Text } from '@linewarden/equipment'
import { maxClosesPerHour, mayCloseAgain } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { LinkageOperation, NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { closesOf, lockCloses } from '../../store/automation/linkage-run.ts'
import { sceneById } from '../../store/automation/scene.ts'
import type { Schema } from '../../store/core/schema.ts'
import { sourceOf } from './linkage-draft.ts'
import type { LinkageView } from './linkage-view.ts'

const tooOften: Text = {
  zh: `该线路一小时内自动合闸已达 ${maxClosesPerHour} 次，未合闸`,
  en: `Automation has closed this line ${maxClosesPerHour} times within an hour: it is not closed again`,
}
const mayNotClose: Text = { zh: '联动不允许合闸', en: 'The linkage may not close lines' }

/** What a linkage does to lines, and what of it may not be done. */
export function createLinkageParts(plant: Plant) {
  return { partsOf, isDanger }

  /** What is operated and raised, its scenes resolved to their lines; trips before closes, closes in the order of their scene. */
  async function partsOf(
    trx: Kysely<Schema>,
    linkage: StoredLinkage,
    executionId: string,
    actions: readonly StoredAction[],
    at: number,
    mayClose: boolean,
  ) {
    const trips = new Set<number>()
    const closes = new Set<number>()
    for (const { kind, lineId, sceneId } of actions) {
      if (lineId !== null && kind === 'trip') trips.add(lineId)
      if (lineId !== null && kind === 'close') closes.add(lineId)
      const scene = sceneId === null ? null : await sceneById(trx, sceneId)
      if (scene?.enabled) for (const item of scene.items) (item.action === 'trip' ? trips : closes).add(item.lineId)
    }
    // Of one line that is to be tripped and closed the trip counts.
    const wanted = mayClose ? [...closes].filter((lineId) => !trips.has(lineId)) : []
    if (wanted.length > 0) await lockCloses(trx, linkage.projectId)
    const had = wanted.length > 0 ? await closesOf(trx, wanted, at) : new Map<number, readonly number[]>()
    const often = wanted.filter((lineId) => !mayCloseAgain(had.get(lineId) ?? [], at))
    const isBarred = !linkage.mayClose || isDangerous(linkage)
    const lineOf = (lineId: number, action: 'trip' | 'close'): LinkageOperation['lines'][number] => {
      const isRefused = action === 'close' && (isBarred || often.includes(lineId))
      const refusal = isBarred ? { key: 'linkage may not close', text: mayNotClose } : { key: 'closesPerHour', text: tooOften }
      const commandId = namedUuid(executionId, lineId, action)
      return { lineId, commandId, state: isRefused ? 'refused' : 'waiting', refusal: isRefused ? refusal : null }
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
    return { operations, raises, isTooOften: !isBarred && often.length > 0 }
  }

  /** Whether one of its conditions reads fire, gas, arc or leakage. */
  function isDangerous(linkage: StoredLinkage): boolean {
    return linkage.conditions.some((condition) => {
      const line = plant.lines.get(condition.lineId)
      return !line || (sourceOf(line, condition)?.isDanger ?? true)
    })
  }

  /** A trip for a danger that is there now: no limit holds it up. */
  function isDanger({ conditions, actions }: StoredLinkage, view: LinkageView): boolean {
    const trips = actions.some(({ kind }) => kind === 'trip' || kind === 'scene')
    return (
      trips &&
      conditions.some((condition, index) => {
        const line = plant.lines.get(condition.lineId)
        return view.conditions[index]?.truth === true && line !== undefined && (sourceOf(line, condition)?.isDanger ?? false)
      })
    )
  }
}

export type RunHead = Pick<NewLinkageRun, 'executionId' | 'at' | 'cause' | 'parentId' | 'trace'>

export function runOf(head: RunHead, { operations }: { readonly operations: readonly LinkageOperation[] }): NewLinkageRun {
  const lines = operations.flatMap((operation) => operation.lines)
  if (lines.some(({ state }) => state === 'waiting')) return { ...head, state: 'running', why: null, operations }
  if (lines.length > 0) return { ...head, state: 'refused', why: lines[0]?.refusal?.key ?? null, operations }
  return { ...head, state: 'done', why: null, operations }
}
