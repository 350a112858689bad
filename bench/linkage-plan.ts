import type { Comparison } from '@linewarden/rules/automation'

/** What of a line makes its linkage rise: a measured value, an alarm that it raises, or a state. */
export const edges = {
  point: { kind: 'point', key: 'current.a', op: '>', value: 40, release: 2 },
  alarm: { kind: 'alarm', key: 'temperature.alarm', op: '=', value: 1, release: 0 },
  state: { kind: 'state', key: 'selfTest', op: '=', value: 2, release: 0 },
} as const
export type Edge = keyof typeof edges

/** The same of what no line of the bench ever comes to. */
const never = {
  point: { kind: 'point', key: 'current.b', op: '>', value: 500, release: 2 },
  alarm: { kind: 'alarm', key: 'voltage.over', op: '=', value: 1, release: 0 },
  state: { kind: 'state', key: 'lock.local', op: '=', value: 1, release: 0 },
} as const

export interface PlannedCondition {
  readonly kind: Edge
  readonly key: string
  readonly op: Comparison
  readonly value: number
  readonly release: number
  readonly forS: number
  /** Among the lines of its project that report as fast as they can, or among those on which something happens. */
  readonly on: 'load' | 'trigger'
  readonly line: number
}

/** One linkage of the bench; lines are numbered within its project. */
export interface PlannedLinkage {
  readonly name: string
  readonly match: 'all' | 'any'
  readonly conditions: readonly PlannedCondition[]
  readonly trigger: number
  readonly does: 'trip' | 'scene'
  /** What happens on its trigger line concerns it; null: nothing ever does. */
  readonly edge: Edge | null
  readonly forS: number
}

/** Lines of one gateway on which something happens; a scene trips the last of them and the spare lines behind it. */
export const triggersPerGateway = 20
export const spareLines = 2

const cycle = ['point', 'alarm', 'point', 'state', 'point'] as const
/** One in so many waits, and for so long. */
const [waitsOneIn, waitsS] = [16, 2]

/**
 * Linkages of one project. Each reads a line of its own that reports all the time, and a line on which something happens; that of which the
 * first `triggers` read comes about, on a line of its own each. The others read the same lines for something that never does.
 */
export function plannedLinkages(count: number, triggers: number): readonly PlannedLinkage[] {
  return Array.from({ length: count }, (_, index): PlannedLinkage => {
    const fires = index < triggers
    const trigger = index % triggers
    const edge = cycle[index % cycle.length] ?? 'point'
    const match = index % 2 === 0 ? 'all' : 'any'
    const forS = fires && index % waitsOneIn === 5 ? waitsS : 0
    const load = (line: number) => ({ kind: 'point' as const, op: '>' as const, forS: 0, on: 'load' as const, line })
    // Of all, the others are always true; of any, never.
    const beside = (line: number): PlannedCondition =>
      match === 'all'
        ? { ...load(line), key: 'voltage.a', value: 180, release: 5 }
        : { ...load(line), key: 'current.c', value: 200, release: 5 }
    return {
      ...{ name: `b${index}`, match, trigger, forS },
      conditions: [
        { ...(fires ? edges : never)[edge], forS, on: 'trigger', line: trigger },
        beside(index),
        ...(index % 5 === 0 ? [beside((index + 1) % count)] : []),
      ],
      does: fires && trigger % triggersPerGateway === triggersPerGateway - 1 ? 'scene' : 'trip',
      edge: fires ? edge : null,
    }
  })
}
