import { dayMs } from '@linewarden/equipment'

export const sceneActions = ['trip', 'close'] as const
export type SceneAction = (typeof sceneActions)[number]

/** Who asks a line to be operated. A scene that a timer or a linkage fires counts as timed; one that a person runs is that person's word. */
export const runSources = ['person', 'timer', 'scene', 'linkage', 'timedScene'] as const
export type RunSource = (typeof runSources)[number]

/**
 * A person's word on a line against its timers. `next`: until the next timed action, nothing is suppressed. `until`: timed actions before
 * an instant are skipped. `stay`: after a trip by a person timed closes are skipped until a person closes or releases.
 */
export type Override =
  | { readonly kind: 'next' | 'stay'; readonly since: number }
  | { readonly kind: 'until'; readonly since: number; readonly until: number }

export const maxOverrideMs = 14 * dayMs

/** Whether an override still applies at an instant; by itself only `until` ends. */
export const isInForce = (override: Override, now: number): boolean => override.kind !== 'until' || now < override.until

/**
 * Why a line is left out of a run because of a person's word; null: it is not. A person's action and a linkage's own trip are never
 * kept back, and a trip is kept back by `until` only.
 */
export function overrideSkip(
  override: Override | null,
  action: SceneAction | 'test',
  source: RunSource,
  dueAt: number,
): 'override' | 'personTripped' | null {
  if (!override || !isInForce(override, dueAt)) return null
  if (source === 'person' || source === 'scene') return null
  if (source === 'linkage' && action === 'trip') return null
  if (override.kind === 'until') return 'override'
  return override.kind === 'stay' && action === 'close' ? 'personTripped' : null
}

/** What happens to a line that an override is about. */
export type OverrideFact =
  /** A person's trip from the console or the API; `wish`: what they chose instead of `stay`. */
  | { readonly kind: 'personTrip'; readonly at: number; readonly wish: 'next' | { readonly until: number } | null }
  /** The breaker reports that it was opened by hand. */
  | { readonly kind: 'tripByHand'; readonly at: number }
  | { readonly kind: 'personClose'; readonly at: number; readonly wish: 'next' | { readonly until: number } | null }
  | { readonly kind: 'release'; readonly at: number }
  /** A timed action was ordered of the line. */
  | { readonly kind: 'timedAction'; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }

/** The override after a fact, the same object where nothing changes; null: none applies. */
export function foldOverride(override: Override | null, fact: OverrideFact): Override | null {
  switch (fact.kind) {
    case 'tripByHand':
      return override?.kind === 'stay' ? override : { kind: 'stay', since: fact.at }
    case 'personTrip':
      // A second trip with a milder wish is a person's word as well.
      return fact.wish === null ? { kind: 'stay', since: fact.at } : wished(fact.wish, fact.at)
    case 'personClose':
      return fact.wish === null ? null : wished(fact.wish, fact.at)
    case 'release':
      return null
    case 'timedAction':
      return override?.kind === 'next' ? null : override
    case 'tick':
      return override && isInForce(override, fact.at) ? override : null
  }
}

const wished = (wish: 'next' | { readonly until: number }, since: number): Override =>
  wish === 'next' ? { kind: 'next', since } : { kind: 'until', since, until: Math.min(wish.until, since + maxOverrideMs) }

/** What contains a line and would act on it. */
export interface Containing {
  readonly timers: readonly { readonly timerId: number; readonly enabled: boolean }[]
  readonly scenes: readonly { readonly sceneId: number; readonly running: boolean }[]
}

export const timedLinesModes = ['ask', 'refuse', 'free'] as const
export type TimedLinesMode = (typeof timedLinesModes)[number]

/**
 * What stands against a person's action on a line that is contained, and by which. A trip is never refused. `refuse` is the specification to
 * the letter: not even an override helps against a timer.
 */
export function containedBlock(
  action: SceneAction,
  { timers, scenes }: Containing,
  mode: TimedLinesMode,
  hasOverride: boolean,
):
  | { readonly why: 'schedule contain this line'; readonly timerIds: readonly number[] }
  | { readonly why: 'scene contain this line'; readonly sceneIds: readonly number[] }
  | null {
  if (action === 'trip') return null
  const timerIds = timers.filter(({ enabled }) => enabled).map(({ timerId }) => timerId)
  const isFree = mode === 'free' || (mode === 'ask' && hasOverride)
  if (timerIds.length > 0 && !isFree) return { why: 'schedule contain this line', timerIds }
  const sceneIds = scenes.filter(({ running }) => running).map(({ sceneId }) => sceneId)
  return sceneIds.length > 0 && !hasOverride ? { why: 'scene contain this line', sceneIds } : null
}
