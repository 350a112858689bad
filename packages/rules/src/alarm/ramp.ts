import type { AlarmKind, Priority } from '@linewarden/equipment'
import { alarmKinds, priorities } from '@linewarden/equipment'

/** Alarms that one value passes one after the other, in that order. */
export const ramps: readonly (readonly string[])[] = [
  ['residual.notice', 'residual.warning', 'residual.alarm'],
  ['current.warning', 'current.alarm'],
  ['temperature.warning', 'temperature.alarm'],
  ['gas.rising', 'gas.low', 'gas.high'],
  ['gateway.stale', 'gateway.offline'],
  ['device.stale', 'device.offline'],
]

/** What of an event says on which ramp it is. */
interface Step {
  readonly Kind: string
  readonly Priority: Priority
  readonly Key: string
  readonly Point: string | null
  readonly HouseID: number
  /** Null: of the project as a whole. */
  readonly DeviceID: number | null
  readonly LineID: number | null
  readonly ControllerID: string | null
}

/** Events of one place that are steps of one ramp have the same name here; any other event has its own. */
export function rampOf({ Key, Point, HouseID, DeviceID, LineID, ControllerID }: Step): string {
  const ramp = ramps.find((keys) => keys.includes(Key))
  // Gas is warned of by its value, and alarmed of by the state of its detector: both are about the gas.
  const about = Point === null || Key.startsWith(`${Point}.`) ? '' : `@${Point}`
  return `${DeviceID ?? `project ${HouseID}`} ${LineID ?? ControllerID ?? ''} ${ramp?.[0] ?? Key}${about}`
}

/** Whether an event is about this point, also where the equipment itself evaluated it and named only its own alarm. */
export const isAboutPoint = ({ Key, Point }: Pick<Step, 'Key' | 'Point'>, point: string): boolean =>
  Point === null ? Key.startsWith(`${point}.`) : Point === point

/** Whether an event is a graver step than another of its ramp; of the same step, neither is. */
export function isGraver(event: Step, other: Step): boolean {
  const [own, others] = [gravity(event), gravity(other)]
  const differs = own.findIndex((each, index) => each !== others[index])
  return differs >= 0 && (own[differs] ?? 0) > (others[differs] ?? 0)
}

/** Each a figure that grows with it: kind, priority, place on the ramp. */
const gravity = ({ Kind, Priority, Key }: Step): readonly number[] => [
  -kinds.indexOf(Kind),
  -priorities.indexOf(Priority),
  ramps.find((keys) => keys.includes(Key))?.indexOf(Key) ?? 0,
]

const kinds: readonly string[] = [...alarmKinds, 'order'] satisfies (AlarmKind | 'order')[]
