import type { EventRecord } from '@linewarden/contract'
import { listEvents } from '@linewarden/contract'
import { keyOf } from '../../app/net/keys.ts'
import type { LiveListener } from '../../app/net/live-link.ts'
import { useLiveLink } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { useCall } from '../../app/net/use-call.ts'
import { pollMs } from '../../plant/queries.ts'

/** So many events a wall knows of: beyond it counts. */
const most = 200

const rank: Readonly<Record<EventRecord['Priority'], number>> = { critical: 0, high: 1, medium: 2, low: 3 }

/** Events that need somebody, of a project or of all: what nobody acknowledged first, then the worst, then the newest. An incident is its root. */
export function useWallEvents(houseId?: number): { readonly events: readonly EventRecord[]; readonly total: number } {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const body = { ...(houseId !== undefined && { HouseID: houseId }), Open: true, Folded: false, Shelved: false, Size: most }
  const { data } = useCall(listEvents, { body }, { refetchInterval: polling ? pollMs : 60_000 })
  return { events: wallOrder(data?.items ?? []), total: data?.total ?? 0 }
}

/** In the order in which a wall shows them. */
export const wallOrder = (events: readonly EventRecord[]): readonly EventRecord[] =>
  events.toSorted(
    (one, other) =>
      Number(isAcknowledged(one)) - Number(isAcknowledged(other)) ||
      rank[one.Priority] - rank[other.Priority] ||
      other.LastRaisedAt - one.LastRaisedAt,
  )

export const isAcknowledged = ({ State }: EventRecord): boolean => State === 'acknowledged'

/** They come by the hundred in a moment, and one question sees them all. */
const afterMs = 300

export const wallEventsLive: LiveListener = {
  onLive: ({ t }) => {
    if (t === 'event') refreshSoon(keyOf(listEvents), afterMs)
  },
}
