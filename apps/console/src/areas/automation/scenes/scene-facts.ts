import type { Scene, SceneItem, SceneRunEntry } from '@linewarden/contract'
import { isUnderWay } from '@linewarden/rules/control'

/** Stand against every line alike, and are said once, by the button. */
const ownRights: ReadonlySet<string> = new Set(['permission', 'notShared'])

/** What stands against a line beside the reader's own rights. */
export const blockReasonsOf = ({ Unmet }: Pick<SceneItem, 'Unmet'>) => Unmet.filter(({ Key }) => !ownRights.has(Key))

/** What running a scene would send now. A trip is always sent; a close not where the line is closed already, and none that is blocked. */
export interface SceneOrders {
  readonly trips: readonly SceneItem[]
  /** Of the trips those whose equipment is away. */
  readonly away: readonly SceneItem[]
  readonly closes: readonly SceneItem[]
  readonly already: readonly SceneItem[]
  readonly blocked: readonly SceneItem[]
}

export function ordersOf(items: readonly SceneItem[]): SceneOrders {
  const trips = items.filter(({ Action }) => Action === 'trip')
  const toClose = items.filter(({ Action }) => Action === 'close')
  const left = toClose.filter(({ Match }) => Match !== 'inForce')
  return {
    trips,
    away: trips.filter((each) => blockReasonsOf(each).length > 0),
    closes: left.filter((each) => blockReasonsOf(each).length === 0),
    already: toClose.filter(({ Match }) => Match === 'inForce'),
    blocked: left.filter((each) => blockReasonsOf(each).length > 0),
  }
}

export const sentCount = ({ trips, closes }: SceneOrders): number => trips.length + closes.length

/** Lines that do not stand as the scene says, or are not known, those alike together. */
export interface Mismatch {
  readonly of: Pick<SceneItem, 'Switch' | 'Action' | 'Match'>
  readonly items: readonly SceneItem[]
}

/** What is known comes before what is not. */
export function mismatchesOf(items: readonly SceneItem[]): readonly Mismatch[] {
  const apart = items.filter(({ Match }) => Match !== 'inForce')
  const known = apart.filter(({ Match }) => Match === 'mismatch')
  const ordered = [...known, ...apart.filter(({ Match }) => Match === 'unknown')]
  return [...Map.groupBy(ordered, ({ Switch, Action, Match }) => `${Match} ${Switch} ${Action}`).values()].flatMap((alike) =>
    alike[0] ? { of: alike[0], items: alike } : [],
  )
}

/** Why a scene is not run now, by the key of its text; null: it can be. */
export function whyNotRun(
  scene: Pick<Scene, 'Whole' | 'Enabled'>,
  { connected, shared, maySwitch }: { readonly connected: boolean; readonly shared: boolean; readonly maySwitch: boolean },
) {
  if (!connected) return 'noConnection'
  if (shared) return 'sharedOnly'
  if (!maySwitch) return 'noSwitching'
  if (!scene.Whole) return 'seenInPart'
  return scene.Enabled ? null : 'isDisabled'
}

/** The same of changing it; null for the scene: of making a new one. */
export function whyNotChange(
  scene: Pick<Scene, 'Whole'> | null,
  rights: { readonly connected: boolean; readonly shared: boolean; readonly maySwitch: boolean; readonly mayManage: boolean },
) {
  if (!rights.connected) return 'noConnection'
  if (rights.shared) return 'sharedOnly'
  if (!rights.mayManage) return 'noManaging'
  if (!rights.maySwitch) return 'noSwitching'
  return scene === null || scene.Whole ? null : 'seenInPart'
}

type RunLine = SceneRunEntry['Lines'][number]

/** What became of a line of a run, by what its equipment reported; that an order was sent proves nothing. */
export function outcomeOf({ State, Command }: Pick<RunLine, 'State' | 'Command'>) {
  if (State === 'waiting') return Command && isUnderWay(Command.State) ? 'underWay' : 'waiting'
  if (State === 'skipped') return 'already'
  if (State !== 'ordered') return State
  if (!Command || Command.State === 'unknown') return 'unknown'
  if (Command.State === 'verified') return 'verified'
  return isUnderWay(Command.State) ? 'underWay' : 'failed'
}

type Stop = 'done' | 'todo' | 'crossed' | 'uncertain'

/** Waiting, ordered, verified: how each stop of the track is drawn. */
export const trackOf: Readonly<Record<ReturnType<typeof outcomeOf>, readonly [Stop, Stop, Stop]>> = {
  waiting: ['done', 'todo', 'todo'],
  underWay: ['done', 'done', 'todo'],
  verified: ['done', 'done', 'done'],
  already: ['done', 'todo', 'done'],
  refused: ['done', 'crossed', 'todo'],
  missed: ['done', 'crossed', 'todo'],
  stopped: ['done', 'crossed', 'todo'],
  failed: ['done', 'done', 'crossed'],
  unknown: ['done', 'done', 'uncertain'],
}
