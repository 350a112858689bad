import type { EventRecord, IncidentRecord } from '@linewarden/contract'
import { getIncident, listEvents, placeNames } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { keyOf } from '../../../app/net/keys.ts'
import { refreshSoon } from '../../../app/net/refresh-soon.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { dayTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Place } from '../../../ui/place.tsx'
import { onEvent } from '../notified-events.ts'
import { readAddress, writeAddress } from './address.ts'
import { PriorityChip } from './event-cells.tsx'
import { StateMark } from './state-mark.tsx'

const shownMembers = 20
const refreshAfterMs = 500

/** The incident that an alarm shows for, and the one that it is folded into; nothing where it stands by itself. */
export function IncidentPart({ event }: { event: EventRecord }) {
  const own = event.Incident?.IncidentID ?? null
  return (
    <>
      {event.Role === 'child' && event.IncidentID !== null && <AboveIncident incidentId={event.IncidentID} />}
      {own !== null && <OwnIncident incidentId={own} />}
    </>
  )
}

/** What belongs to it is counted by the server: after each of its events it is asked again. */
function useIncident(incidentId: string) {
  const asked = { params: { IncidentID: incidentId } }
  useEffect(
    () =>
      onEvent((changed) => {
        if (changed.IncidentID !== incidentId) return
        refreshSoon(keyOf(getIncident, { params: { IncidentID: incidentId } }), refreshAfterMs)
        refreshSoon(keyOf(listEvents, membersOf(incidentId)), refreshAfterMs)
      }),
    [incidentId],
  )
  return useCall(getIncident, asked)
}

const membersOf = (IncidentID: string) => ({ body: { IncidentID, Sort: '-Priority' as const, Size: shownMembers } })

function OwnIncident({ incidentId }: { incidentId: string }) {
  const { t } = useTranslation('alarmMarks')
  const incident = useIncident(incidentId)
  const { data } = incident
  // Whoever sees the root and none of the children is shown an alarm like any other.
  if (data?.Total === 0) return null
  const facts: readonly (readonly [name: string, value: ReactNode])[] = data
    ? [
        [t('incidentState'), stateOf(data)],
        [t('incidentMembers'), t('incidentCounts', { present: data.Present, total: data.Total })],
        [
          t('incidentKinds'),
          data.Children.map(({ Label, Total }) => t('incidentOf', { what: localised(Label), count: Total })).join(' · '),
        ],
      ]
    : []
  return (
    <section className="part incident-part" aria-label={t('incident')}>
      <h3>
        {t('incident')} {data && <span className="event-mark incident">{t(`incidents.${data.Kind}`)}</span>}
      </h3>
      <Unloaded query={incident} />
      <dl className="event-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {data && <Members incidentId={incidentId} />}
    </section>
  )

  function stateOf({ OpenedAt, EndedAt, ClosedAt }: IncidentRecord): string {
    if (EndedAt === null) return t('incidentSince', { time: dayTime(OpenedAt) })
    return t(ClosedAt === null ? 'incidentEnded' : 'incidentClosed', { from: dayTime(OpenedAt), to: dayTime(EndedAt) })
  }
}

/** The gravest of what was ever folded, each as it stands; all of it is unfolded in the list. */
function Members({ incidentId }: { incidentId: string }) {
  const { t } = useTranslation('alarmMarks')
  const opening = useOpening()
  const members = useCall(listEvents, membersOf(incidentId))
  const items = members.data?.items ?? []
  const rest = (members.data?.total ?? 0) - items.length
  return (
    <>
      <Unloaded query={members} />
      <ul className="incident-members">
        {items.map((event) => (
          <li key={event.EventID}>
            <Link className="text-link" to={opening(event.EventID)}>
              {localised(event.Label)}
            </Link>
            <span>
              <StateMark event={event} /> <PriorityChip event={event} />
            </span>
            <span className="mute place">
              <LineTag lineId={event.LineID} /> <Place names={placeNames(event.Where)} between=" › " />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mute">{t('incidentRest', { count: rest })}</p>}
    </>
  )
}

/** Under which alarm it is folded: that one is what people go for. */
function AboveIncident({ incidentId }: { incidentId: string }) {
  const { t } = useTranslation('alarmMarks')
  const opening = useOpening()
  const incident = useIncident(incidentId)
  const { data } = incident
  return (
    <section className="part incident-part" aria-label={t('foldedInto')}>
      <h3>{t('foldedInto')}</h3>
      <Unloaded query={incident} />
      {data && (
        <p>
          {data.Root && (
            <Link className="text-link" to={opening(data.Root.EventID)}>
              {localised(data.Root.Label)}
            </Link>
          )}{' '}
          <span className="mute">{t('foldedIntoText', { kind: t(`incidents.${data.Kind}`), time: dayTime(data.OpenedAt) })}</span>
        </p>
      )}
    </section>
  )
}

/** The address of this very list with another event open. */
function useOpening(): (eventId: string) => string {
  const [query] = useSearchParams()
  return (event) => `?${writeAddress({ ...readAddress(query), event }, query)}`
}
