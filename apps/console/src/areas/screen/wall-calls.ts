import type { EventRecord } from '@linewarden/contract'
import { listEvents } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import type { CallingEvent } from '@linewarden/rules/screen'
import { takeoverOf } from '@linewarden/rules/screen'
import { useMemo } from 'react'
import { useLiveLink } from '../../app/net/live-link.ts'
import { useCall } from '../../app/net/use-call.ts'
import { pollMs } from '../../plant/queries.ts'
import { useByNow } from '../../ui/use-now.ts'

/** So many critical events take turns: nobody reads more. */
const maxCalling = 50

const lifeSafety = new Set(families.flatMap(({ alarms }) => alarms.flatMap(({ key, danger }) => (danger ? [key] : []))))

const callingOf = ({ EventID, Key, LastRaisedAt, AddTime }: EventRecord): CallingEvent => ({
  ...{ eventId: EventID, isLifeSafety: lifeSafety.has(Key) },
  ...{ raisedAt: LastRaisedAt, storedAt: AddTime },
})

/** What takes over a wall, and what stands above it. */
export interface WallCalls {
  readonly takeover: {
    readonly event: EventRecord
    readonly place: number
    readonly count: number
    readonly isLifeSafety: boolean
  } | null
  readonly banner: readonly EventRecord[]
}

/**
 * What is critical, still there and acknowledged by nobody, of a project or of all. It is asked for by itself: in a flood of other events it would
 * not be among the newest.
 */
export function useWallCalls(houseId?: number): WallCalls {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const body = {
    ...(houseId !== undefined && { HouseID: houseId }),
    ...{ Priorities: ['critical' as const], States: ['active' as const], Kinds: ['alarm' as const] },
    ...{ Folded: false, Shelved: false, Size: maxCalling },
  }
  const { data } = useCall(listEvents, { body }, { refetchInterval: polling ? pollMs : 30_000 })
  const events = useMemo(
    () => new Map(data?.items.filter(isCalling).map((event) => [event.EventID, event] as const) ?? []),
    [data],
  )
  const calling = useMemo(() => [...events.values()].map(callingOf), [events])
  // By its words: whoever draws it is drawn again with another turn, not with every second.
  const summary = useByNow((now) => JSON.stringify(takeoverOf(calling, now)))
  return useMemo(() => {
    const { takeover, banner } = JSON.parse(summary) as ReturnType<typeof takeoverOf>
    const shown = takeover && events.get(takeover.shown.eventId)
    return {
      takeover: takeover && shown ? { ...takeover, event: shown } : null,
      banner: banner.flatMap(({ eventId }) => events.get(eventId) ?? []),
    }
  }, [summary, events])
}

/** What is out of service calls nobody, but where somebody may be in danger. */
const isCalling = ({ Suppressed, Key, Historical }: EventRecord): boolean =>
  !Historical && (Suppressed === null || lifeSafety.has(Key))
