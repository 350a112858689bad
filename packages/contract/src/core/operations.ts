import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

interface NamedLine {
  readonly ControllerID: string
  readonly LineNo: number
}

/** What an order to set something does: which values, where, and until when where they bypass a protection. */
export type SettingIntent =
  | { readonly lines: readonly NamedLine[]; readonly settings: Values; readonly OffUntil?: number | undefined }
  | { readonly device: string; readonly settings: Values; readonly OffUntil?: number | undefined }
  | { readonly gateway: number; readonly settings: Values; readonly OffUntil?: number | undefined }
  | { readonly undoes: string; readonly OffUntil?: number | undefined }
type Values = Readonly<Record<string, number>>

/** The `Operation` of a grant for a group of lines: `{action}:run/{RunID}/{SHA-256}`, the hash over `ControllerID/LineNo` of each line. */
export const groupOperation = (action: string, operationId: string, lines: readonly NamedLine[]): string =>
  `${action}:run/${operationId}/${hashOf(namesOf(lines))}`

/**
 * The `Operation` of a grant for settings: `set:{CommandID or BatchID}/{SHA-256}`, the hash over the UTF-8 JSON text
 * `[targets, values, OffUntil or null]`. Targets: `ControllerID/LineNo` of each line, or one of `device {ControllerID}`,
 * `gateway {DeviceID}`, `change {ChangeID}`; values: `key=value`, none of a change that is taken back. Both sorted, each named once.
 */
export function settingOperation(id: string, intent: SettingIntent): string {
  const values = 'undoes' in intent ? [] : Object.entries(intent.settings).map(([key, value]) => `${key}=${value}`)
  return `set:${id}/${hashOf([targetsOf(intent), sorted(values), intent.OffUntil ?? null])}`
}

/** The `Operation` of a grant for re-closing: `reclosure:{ControllerID}/{LineNo}/{SHA-256}`, the hash over the JSON text of `DelaysS` as sent. */
export const reclosureOperation = ({ ControllerID, LineNo }: NamedLine, delaysS: readonly number[]): string =>
  `reclosure:${ControllerID}/${LineNo}/${hashOf(delaysS)}`

type TimedPoint = {
  readonly PointNo: number
  readonly At: string | { readonly Sun: string; readonly OffsetMin: number }
  readonly Action: string
}

/** What somebody saves as a timer. */
interface TimerIntent {
  readonly TimerID: number | null
  readonly Name: string
  readonly Function: string | null
  readonly Type: string | null
  readonly Period: {
    readonly Date?: string | undefined
    readonly Days?: number | readonly number[] | undefined
    readonly Classes?: readonly string[] | undefined
    readonly FromDate?: string | null | undefined
    readonly ToDate?: string | null | undefined
  }
  readonly Points: readonly TimedPoint[]
  readonly Exceptions: readonly {
    readonly FromDate: string
    readonly ToDate: string
    readonly Do: 'none' | readonly TimedPoint[]
  }[]
  readonly Lines: readonly NamedLine[]
  readonly SceneID?: number | null | undefined
  readonly KeepWhileWanted: boolean
  readonly Enabled: boolean
}

/**
 * The `Operation` of a grant for saving a timer: `automation:timer:{TimerID or new}:{SHA-256}`, the hash over the JSON text
 * `[Name, Function, Type, period, points, exceptions, lines, SceneID or null, KeepWhileWanted, Enabled]`. Period:
 * `[Date, Days, Classes, FromDate, ToDate]`, null where left out; each point `[PointNo, At or Sun and OffsetMin, Action]`; each exception
 * `[FromDate, ToDate, none or points]`; lines `ControllerID/LineNo`, sorted, each once.
 */
export const timerOperation = (timer: TimerIntent): string => {
  const { Date: date, Days, Classes, FromDate, ToDate } = timer.Period
  return `automation:timer:${timer.TimerID ?? 'new'}:${hashOf([
    ...[timer.Name.trim(), timer.Function, timer.Type],
    [date ?? null, Days ?? null, Classes ?? null, FromDate ?? null, ToDate ?? null],
    pointsOf(timer.Points),
    timer.Exceptions.map((each) => [each.FromDate, each.ToDate, each.Do === 'none' ? each.Do : pointsOf(each.Do)]),
    namesOf(timer.Lines),
    ...[timer.SceneID ?? null, timer.KeepWhileWanted, timer.Enabled],
  ])}`
}

/** What is done to a timer as it is stored: by each of these it fires with the rights of whoever does it. */
export const timerActs = ['enable', 'skip', 'owner'] as const

/** The `Operation` of a grant for one of these, of a timer as it was read: `automation:timer:{TimerID}:{act}/{Version}`. */
export const timerActOperation = (
  act: (typeof timerActs)[number],
  { TimerID, Version }: { readonly TimerID: number; readonly Version: number },
): string => `automation:timer:${TimerID}:${act}/${Version}`

/** What somebody saves as a scene. */
interface SceneIntent {
  readonly SceneID: number | null
  readonly Name: string
  readonly IfRefused: string
  readonly Items: readonly (NamedLine & { readonly Action: string; readonly Order: number })[]
}

/**
 * The `Operation` of a grant for saving or enabling a scene: `automation:scene:{SceneID or new}:{SHA-256}`, the hash over the JSON text
 * `[Name, IfRefused, lines]`, each line `ControllerID/LineNo Action Order`, sorted.
 */
export const sceneOperation = ({ SceneID, Name, IfRefused, Items }: SceneIntent): string =>
  `automation:scene:${SceneID ?? 'new'}:${hashOf([
    Name.trim(),
    IfRefused,
    sorted(Items.map(({ ControllerID, LineNo, Action, Order }) => `${ControllerID}/${LineNo} ${Action} ${Order}`)),
  ])}`

/** The `Operation` of a grant for running a scene as it was read: `trip:scene/{RunID}/{SceneID}/{Version}` of one that only trips, else `close:scene/…`. */
export const sceneRunOperation = (
  operationId: string,
  { SceneID, Version }: { readonly SceneID: number; readonly Version: number },
  items: readonly { readonly Action: 'trip' | 'close' }[],
): string => executionOperation('scene', operationId, SceneID, Version, items)

/** What somebody saves as a linkage. */
interface LinkageIntent {
  readonly LinkageID: number | null
  readonly Name: string
  readonly Mode: string
  readonly Match: string
  readonly MayClose: boolean
  readonly Conditions: readonly (NamedLine & {
    readonly Kind: string
    readonly Key: string
    readonly Op: string
    readonly Value: number
    readonly Release?: number | null | undefined
    readonly ForS: number
  })[]
  readonly Actions: readonly {
    readonly Kind: string
    readonly ControllerID?: string | null | undefined
    readonly LineNo?: number | null | undefined
    readonly SceneID?: number | null | undefined
    readonly DelayS: number
    readonly Order?:
      | { readonly Title: string; readonly Priority: string; readonly PersonInCharge: string | null }
      | null
      | undefined
  }[]
}

/**
 * The `Operation` of a grant for saving a linkage, enabling it, letting it order or clearing its halt: `automation:linkage:{LinkageID or
 * new}:{SHA-256}`, the hash over the JSON text `[Name, Mode, Match, MayClose, conditions, actions]`; each condition
 * `[Kind, ControllerID/LineNo, Key, Op, Value, Release or null, ForS]`, each action `[Kind, ControllerID/LineNo or null, SceneID or null, DelayS]`,
 * of a work order followed by `[Title, Priority, PersonInCharge or null]` where it is given, in their order.
 */
export const linkageOperation = ({ LinkageID, Name, Mode, Match, MayClose, Conditions, Actions }: LinkageIntent): string =>
  `automation:linkage:${LinkageID ?? 'new'}:${hashOf([
    Name.trim(),
    Mode,
    Match,
    MayClose,
    Conditions.map((each) => [
      each.Kind,
      `${each.ControllerID}/${each.LineNo}`,
      each.Key,
      each.Op,
      each.Value,
      each.Release ?? null,
      each.ForS,
    ]),
    Actions.map(({ Kind, ControllerID, LineNo, SceneID, DelayS, Order }) => [
      Kind,
      ControllerID == null ? null : `${ControllerID}/${LineNo}`,
      SceneID ?? null,
      DelayS,
      ...(Order ? [[Order.Title.trim(), Order.Priority, Order.PersonInCharge]] : []),
    ]),
  ])}`

/** The `Operation` of a grant for running a linkage as it was read: `trip:linkage/{RunID}/{LinkageID}/{Version}` of one that closes nothing, else `close:linkage/…`. */
export const linkageRunOperation = (
  executionId: string,
  { LinkageID, Version }: { readonly LinkageID: number; readonly Version: number },
  items: readonly { readonly Action: 'trip' | 'close' }[],
): string => executionOperation('linkage', executionId, LinkageID, Version, items)

/** Wrong control passwords never keep anybody from tripping: what only trips is asked for as a trip is. */
function executionOperation(
  what: 'scene' | 'linkage',
  executionId: string,
  id: number,
  version: number,
  items: readonly { readonly Action: 'trip' | 'close' }[],
): string {
  const action = items.every(({ Action }) => Action === 'trip') ? 'trip' : 'close'
  return `${action}:${what}/${executionId}/${id}/${version}`
}

const pointsOf = (points: readonly TimedPoint[]) =>
  points.map(({ PointNo, At, Action }) => [PointNo, typeof At === 'string' ? At : [At.Sun, At.OffsetMin], Action])

function targetsOf(intent: SettingIntent): readonly string[] {
  if ('lines' in intent) return namesOf(intent.lines)
  if ('device' in intent) return [`device ${intent.device}`]
  return 'gateway' in intent ? [`gateway ${intent.gateway}`] : [`change ${intent.undoes}`]
}

const namesOf = (lines: readonly NamedLine[]): readonly string[] =>
  sorted(lines.map(({ ControllerID, LineNo }) => `${ControllerID}/${LineNo}`))

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1))

const hashOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(value))))
