import type { AreaMessage } from './catalogue.ts'

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
  { readonly t: 'hello'; readonly at: number } | AreaMessage

/** Close codes of the live socket. */
export const liveClose = { slow: 4001, sessionEnded: 4002, badRequest: 4003 } as const
