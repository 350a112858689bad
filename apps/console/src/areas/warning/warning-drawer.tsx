import type { Reply, Warning } from '@linewarden/contract'
import { placeNames, warningDetails } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { lineHistory, paths } from '../../paths.ts'
import { useTree } from '../../plant/queries.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { clockMinute, dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { placeOf } from '../alarm/event-parts.tsx'
import { EventCourse } from '../alarm/list/event-course.tsx'
import { ContactPart } from './contact-part.tsx'
import { LeakagePart } from './leakage-part.tsx'
import { LevelTag } from './level-tag.tsx'
import { SeriesPart } from './series-part.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { WarningFacts } from './warning-facts.tsx'
import { WarningFoot } from './warning-foot.tsx'
import '../alarm/list/alarm-list.css'
import '../alarm/list/event-drawer.css'
import './warning-drawer.css'

/** One finding: its proof drawn, what to do, what happened to it, and what can be done here. */
export function WarningDrawer({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const { t } = useTranslation('warning')
  const query = useCall(warningDetails, { params: { EventID: eventId } })
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const { data } = query
  if (!data)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  const { Warning: warning } = data
  const { Event, Level } = warning
  const iec = houses.find(({ HouseID }) => HouseID === Event.HouseID)?.Standard === 'IEC'
  const title = [localised(Event.Label), Event.Where.LineName ?? Event.Where.GatewayName].filter((each) => each !== null)
  return (
    <Drawer
      label={t('details')}
      phases={iec ? 'iec' : undefined}
      title={
        <>
          <h2>
            <Place names={title} between=" · " />
          </h2>
          <LevelTag level={Level} />
          <LineTag lineId={Event.LineID} />
        </>
      }
      subtitle={<Subtitle warning={warning} />}
      foot={<WarningFoot warning={warning} />}
      onClose={onClose}
    >
      <div className="drawer-parts">
        <Unloaded query={query} />
        <Explained explained={data.Explained} warning={warning} />
        <WarningFacts details={data} />
        {data.Contact && <ContactPart contact={data.Contact} warning={warning} iec={iec} />}
        {data.Leakage && <LeakagePart leakage={data.Leakage} warning={warning} />}
        {data.Series.map((series) => (
          <SeriesPart key={localised(series.Label)} series={series} warning={warning} />
        ))}
        <WhatToDo warning={warning} />
        <EventCourse event={Event} />
      </div>
    </Drawer>
  )
}

function Subtitle({ warning: { Event, Evidence } }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  return (
    <p className="mute">
      <Place names={placeNames(Event.Where)} between=" › " />
      {' · '}
      {t('raisedAt', { time: clockMinute(Event.LastRaisedAt) })}
      {` · ${Evidence.RuleVersion === 0 ? t('builtInRule') : t('ruleVersion', { version: Evidence.RuleVersion })}`}
      {Evidence.AsOf !== null && ` · ${t('asOf', { day: Evidence.AsOf.slice(5) })}`}
    </p>
  )
}

/** Who called it a normal change, and who took that back. */
function Explained({ explained, warning }: { explained: Reply<typeof warningDetails>['Explained']; warning: Warning }) {
  const { t } = useTranslation('warning')
  const [isAsking, setAsking] = useState(false)
  const mayEdit = useMayEdit()
  if (!explained) return null
  const { From, Reason, By, At, Undone } = explained
  return (
    <>
      <div className="warning-note calm">
        <Mark kind="order" />
        <p role="status">
          {t('explained', { by: By, time: dayTime(At), from: From })}
          <small>{Reason}</small>
        </p>
        {Undone && (
          <p role="status">
            {t('undone', { by: Undone.By, time: dayTime(Undone.At) })}
            <small>{Undone.Reason}</small>
          </p>
        )}
        {mayEdit && !Undone && (
          <button type="button" className="btn" onClick={() => setAsking(true)}>
            {t('undoNormal')}
          </button>
        )}
      </div>
      {isAsking && <UndoDialog warning={warning} onClose={() => setAsking(false)} />}
    </>
  )
}

function WhatToDo({ warning: { Event, Advice } }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const mayWatch = useMayOpen(paths.realtime)
  const mayLookBack = useMayOpen(paths.history)
  return (
    <section className="part" aria-label={t('whatToDo')}>
      <h3>{t('whatToDo')}</h3>
      <p>{localised(Advice)}</p>
      <p className="warning-ways">
        {mayWatch && (
          <Link className="text-link" to={placeOf(Event)}>
            {t('toLive')}
          </Link>
        )}
        {mayLookBack && Event.LineID !== null && (
          <Link className="text-link" to={lineHistory(Event.HouseID, Event.LineID)}>
            {t('toHistory')}
          </Link>
        )}
      </p>
    </section>
  )
}
