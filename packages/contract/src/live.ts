import type { EventRecord } from './areas/alarm/alarm.ts'
import type { CommandRecord } from './areas/control/control.ts'
import type { RunRecord } from './areas/control/runs.ts'
import type { DeviceLink, GatewayLink, LineState } from './areas/monitor/monitor.ts'
import type { SettingChange } from './areas/settings/settings.ts'

/** The path of the live socket; `?ticket=` carries a one-use ticket from POST /live/ticket. */
export const livePath = '/api/v1/live'

/** The server says hello so often, whatever else it has to say. */
export const helloEveryMs = 5_000
/** Two hellos are missing and a second of travel is over: the connection is dead, whatever it looks like. */
export const linkLostAfterMs = 11_000
/** Who asks for a hello has it by then, or the connection is dead. */
export const probeAnswerMs = 900

export type LiveRequest =
  /** What a page shows. Lines' values are sent only for what is watched; events always. */
  | { readonly t: 'watch'; readonly houses: readonly number[]; readonly lines: readonly number[] }
  /** Answered by a hello: whoever doubts the connection need not wait for the next. */
  | { readonly t: 'hello' }

/** What the server sends, each after the database has committed it. Several may come in one frame, as a JSON array. */
export type LiveMessage =
  /** At the start, every `helloEveryMs`, and when it is asked for. */
  | { readonly t: 'hello'; readonly at: number }
  | { readonly t: 'line'; readonly state: LineState }
  | { readonly t: 'gateway'; readonly link: GatewayLink }
  /** Devices that came or went, also with their gateway. */
  | { readonly t: 'devices'; readonly links: readonly DeviceLink[] }
  | { readonly t: 'event'; readonly event: EventRecord; readonly isNew: boolean }
  | { readonly t: 'command'; readonly command: CommandRecord }
  /** How far a group operation of mine has come. */
  | { readonly t: 'run'; readonly run: RunRecord }
  /** A step of a change of settings. */
  | { readonly t: 'setting'; readonly change: SettingChange }
  /** A tag was hung or taken off somewhere on this gateway: what holds its lines is to be asked for again. */
  | { readonly t: 'tags'; readonly DeviceID: number }
  /** The tree changed (a gateway was born with new lines, something was renamed): fetch it again. */
  | { readonly t: 'tree' }

/** Close codes of the live socket. */
export const liveClose = { slow: 4001, sessionEnded: 4002, badRequest: 4003 } as const
