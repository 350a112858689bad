import type { EventRecord } from './areas/alarm.ts'
import type { CommandRecord } from './areas/control.ts'
import type { GatewayLink, LineState } from './areas/monitor.ts'
import type { RunRecord } from './areas/runs.ts'
import type { SettingChange } from './areas/settings.ts'

/** The path of the live socket; `?ticket=` carries a one-use ticket from POST /live/ticket. */
export const livePath = '/api/v1/live'

/** What a page tells the server it shows. Lines' values are sent only for what is watched; events always. */
export type LiveRequest = { readonly t: 'watch'; readonly houses: readonly number[]; readonly lines: readonly number[] }

/** What the server sends, each after the database has committed it. Several may come in one frame, as a JSON array. */
export type LiveMessage =
  /** At the start and every 20 seconds: silence for longer means that the connection is dead, whatever it looks like. */
  | { readonly t: 'hello'; readonly at: number }
  | { readonly t: 'line'; readonly state: LineState }
  | { readonly t: 'gateway'; readonly link: GatewayLink }
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
