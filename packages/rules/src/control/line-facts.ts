import type { Link } from '../alarm/link.ts'
import type { CommandAction } from './command.ts'
import type { TagPlace } from './tags.ts'

/**
 * Whether an order finds its way to the device now. `not_connected`: its gateway reports, and keeps no connection open. `not_born`: it is
 * connected, and has not said yet who it is. `not_listening`: it has not subscribed to its orders. `device_gone`: the gateway is there, and
 * the device is not on it. `device_silent`: it is on it, and has not kept its reporting period; only a trip is worth the try. `push_only`: a
 * platform pushes its reports, and there is no way back.
 */
export const reaches = ['yes', 'not_connected', 'not_born', 'not_listening', 'device_gone', 'device_silent', 'push_only'] as const
export type Reach = (typeof reaches)[number]

/** Whether an order that may be given finds a connection to leave on. */
export const canLeave = (reach: Reach): boolean => reach === 'yes' || reach === 'device_silent'

/** What the close permit is evaluated from, all of it reported by the equipment or stored by a person. `null` is not known, and never permits. */
export interface LineFacts {
  readonly link: Link
  readonly reach: Reach
  /** When the server received the newest live values, Unix ms. */
  readonly liveReceivedAt: number | null
  /** Device time within tolerance of the server's. */
  readonly clockGood: boolean
  /** It is a switched line; a detector is not. */
  readonly switches: boolean
  readonly position: 'open' | 'closed' | null
  readonly tripCause: string | null
  /** A person has recorded why the line tripped, since it did. */
  readonly tripCauseRecorded: boolean
  /** `absent`: the equipment has no local lock. */
  readonly localLock: 'on' | 'off' | 'absent' | null
  /** `absent`: the equipment has no residual-current protection that could be tested. */
  readonly selfTest: 'notDone' | 'running' | 'passed' | 'failed' | 'absent' | null
  readonly inspectionUntil: number | null
  /** All in force on the line, wherever they hang. */
  readonly tags: readonly { readonly on: TagPlace; readonly holder: string; readonly reason: string }[]
  readonly lastOperationAt: number | null
  readonly pending: { readonly action: CommandAction } | null
  /** `absent`: the equipment has none. */
  readonly sounder: 'quiet' | 'sounding' | 'absent' | null
  /** End of the quiet hours that run now, in which no test may cut the supply; null: none run. */
  readonly quietUntil: number | null
}

export interface ActorFacts {
  readonly mayOperate: boolean
  readonly shared: boolean
}
