import { CallError } from '@linewarden/client'
import type { EventRecord } from '@linewarden/contract'
import { eventDetails, placeNames } from '@linewarden/contract'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { keyOf } from '../../../app/net/keys.ts'
import { lazyPart } from '../../../app/net/lazy-part.tsx'
import { queryClient } from '../../../app/net/query-client.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { Empty, Loading } from '../../../ui/body-state.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { localised } from '../../../ui/i18n.ts'
import { drawnKind, Mark } from '../../../ui/mark.tsx'
import { Place } from '../../../ui/place.tsx'
import { onEvent } from '../notified-events.ts'
import { EventBefore } from './event-before.tsx'
import { EventCourse } from './event-course.tsx'
import { EventFacts } from './event-facts.tsx'
import { EventFoot } from './event-foot.tsx'
import { IncidentPart } from './incident-part.tsx'
import { become } from './listed.ts'

const RationalePart = lazyPart(async () => (await import('../rationale/rationale-part.tsx')).RationalePart)
const EvidencePart = lazyPart(async () => (await import('../evidence/evidence-part.tsx')).EvidencePart)
const TuningPart = lazyPart(async () => (await import('../tuning/tuning-part.tsx')).TuningPart)

/** Everything about one alarm, and what can be done about it. `listed`: as the list has it, until the server has answered. */
export function EventDrawer({
  eventId,
  listed,
  onClose,
}: {
  eventId: string
  listed: EventRecord | undefined
  onClose: () => void
}) {
  const { t } = useTranslation('alarmList')
  const details = useCall(eventDetails, { params: { EventID: eventId } }, listed ? { placeholderData: listed } : {})
  useEffect(
    () =>
      onEvent((event) => {
        if (event.EventID !== eventId) return
        queryClient.setQueryData<EventRecord>(keyOf(eventDetails, { params: { EventID: eventId } }), (former) =>
          become(event, former),
        )
      }),
    [eventId],
  )
  const event = details.data
  const isGone = details.error instanceof CallError && details.error.message === 'event not exists'
  const kind = event && drawnKind(event.Kind)
  return (
    <Drawer
      label={event ? localised(event.Label) : t('details')}
      title={
        <h2 className="event-title">
          {kind && <Mark kind={kind} size={16} />}
          {event && !isGone ? localised(event.Label) : t('details')}
        </h2>
      }
      subtitle={
        event && !isGone ? (
          <p className="mute">
            <Place names={placeNames(event.Where)} between=" › " /> <LineTag lineId={event.LineID} />
          </p>
        ) : undefined
      }
      onClose={onClose}
      {...(event && !isGone && { foot: <EventFoot event={event} /> })}
    >
      {isGone ? (
        <Empty title={t('gone')} hint={t('goneHint')} />
      ) : event ? (
        <div className="event-details">
          <EventFacts event={event} />
          <IncidentPart event={event} />
          <Suspense fallback={<Loading />}>
            <RationalePart event={event} />
            <EvidencePart event={event} />
            <TuningPart event={event} />
          </Suspense>
          <EventCourse event={event} />
          <EventBefore event={event} />
          {details.error && <Unloaded query={details} />}
        </div>
      ) : (
        <Unloaded query={details} />
      )}
    </Drawer>
  )
}
