import type { Reply, whyNotTimer } from '@linewarden/contract'
import type { RunState } from '@linewarden/rules/automation'

export type WhyAnswer = Reply<typeof whyNotTimer>
export const checks = ['enabled', 'dates', 'exception', 'period', 'point', 'skipped', 'claimed', 'lines'] as const
export type Check = (typeof checks)[number]

/** Which check fails where a timer was not due. */
const failing = {
  disabled: 'enabled',
  beforeFrom: 'dates',
  afterTo: 'dates',
  exception: 'exception',
  period: 'period',
  noPoint: 'point',
  due: null,
} as const satisfies Readonly<Record<Exclude<WhyAnswer['Why'], 'ran'>, Check | null>>

/** At which check a run ended that was due. */
const endedAt = {
  missed: 'claimed',
  skipped: 'skipped',
  merged: 'skipped',
  partly: 'lines',
  refused: 'lines',
  stopped: 'lines',
  done: null,
  running: null,
} as const satisfies Readonly<Record<RunState, Check | null>>

interface Asked {
  readonly Why: WhyAnswer['Why']
  readonly Runs: readonly Pick<WhyAnswer['Runs'][number], 'State'>[]
}

/**
 * The checks in the order in which they are made, up to the first that fails; null: none fails, or it is not over. What was not asked any more
 * is not said to be fulfilled.
 */
export function whyChain({ Why, Runs }: Asked): { readonly passed: readonly Check[]; readonly failed: Check | null } {
  // Of runs of one minute the one that says most.
  const run = Runs.find(({ State }) => endedAt[State] !== null && State !== 'merged') ?? Runs[0]
  const failed: Check | null = Why === 'ran' ? (run ? endedAt[run.State] : null) : failing[Why]
  if (failed !== null) return { passed: checks.slice(0, checks.indexOf(failed)), failed }
  const isOver = Why === 'ran' && run?.State !== 'running'
  const last: Check = isOver ? 'lines' : Why === 'ran' ? 'claimed' : 'point'
  return { passed: checks.slice(0, checks.indexOf(last) + 1), failed }
}
