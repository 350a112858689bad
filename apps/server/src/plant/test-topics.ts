import type { LiveMessage } from '@linewarden/contract'
import type { Committed } from './hub.ts'
import type { LiveTopic } from './live-topics.ts'

type Of<T extends LiveMessage['t']> = LiveMessage & { readonly t: T }

/** What was published live of one kind, as somebody hears it who sees everything. */
export const liveMessages = <T extends LiveMessage['t']>(t: T, ...committed: readonly Committed[]): Of<T>[] =>
  topicsOf(t, ...committed).map(({ received }) => received)

/** The same, with to whom it was told. */
export const topicsOf = <T extends LiveMessage['t']>(
  t: T,
  ...committed: readonly Committed[]
): (LiveTopic & { readonly received: Of<T> })[] =>
  committed
    .flatMap(({ live = [] }) => live)
    .flatMap((topic) => {
      const { message } = topic
      const received = typeof message === 'function' ? message({ sees: () => true, seesGateway: () => true }) : message
      return isOf(received, t) ? [{ ...topic, received }] : []
    })

const isOf = <T extends LiveMessage['t']>(message: LiveMessage, t: T): message is Of<T> => message.t === t
