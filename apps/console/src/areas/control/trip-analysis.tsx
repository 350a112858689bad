import type { TripAnalysis } from '@linewarden/contract'
import { actorName, lineTrips, tripAnalysis } from '@linewarden/contract'
import { mustBeExplained } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { QualityLegend } from '../../plant/quality-bars.tsx'
import { qualityMarksOf } from '../../plant/quality-marks.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { clockTime, figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { stateWord } from './command-words.ts'
import { Sparkline } from './sparkline.tsx'
import './operations.css'

/** What happened around a trip: cause, who ordered it, the last minute of values, and what hangs above and below. */
export function TripAnalysisPart({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation('operations')
  const { device, line } = lineRef
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  const [chosen, setChosen] = useState('')
  const trips = useCall(lineTrips, { params }, { refetchInterval: 10_000 })
  const eventId = chosen || (trips.data?.items[0]?.EventID ?? '')
  const analysis = useCall(
    tripAnalysis,
    { params: { ...params, EventID: eventId } },
    { enabled: eventId !== '', refetchInterval: 10_000 },
  )
  const { data } = analysis
  return (
    <section className="part autopsy" aria-label={t('autopsy')}>
      <h3>{t('autopsy')}</h3>
      {!trips.data && <Unloaded query={trips} />}
      {trips.data?.items.length === 0 && <p className="mute">{t('noTrips')}</p>}
      {eventId !== '' && (
        <SelectField
          label={t('which')}
          value={eventId}
          options={trips.data?.items.map(({ EventID, At }) => ({ value: EventID, label: clockTime(At) })) ?? []}
          onChange={setChosen}
        />
      )}
      {eventId !== '' && !data && <Unloaded key={eventId} query={analysis} />}
      {data && <Found lineRef={lineRef} found={data} />}
    </section>
  )
}

function Found({ lineRef: { family }, found }: { lineRef: LineRef; found: TripAnalysis }) {
  const { t } = useTranslation(['operations', 'app'])
  const qualityMarks = qualityMarksOf(found.Rows)
  const cause = family?.states.find(({ key }) => key === 'trip.cause')?.values.find(({ key }) => key === found.Cause)
  return (
    <>
      <dl className="facts">
        <dt>{t('cause')}</dt>
        <dd>
          {cause ? localised(cause.label) : t('causeUnknown')}
          {found.CauseRequired && (
            <small>
              <Mark kind="warning" /> {t('causeRequired')}
            </small>
          )}
          {found.Cause !== null && mustBeExplained(found.Cause) && !found.CauseRequired && found.Explained === null && (
            <small>{t('neverExplained')}</small>
          )}
          {found.Explained !== null && <small>{t('explained', { text: found.Explained })}</small>}
          {found.Command && (
            <small>
              {t('ordered', { actor: localised(actorName(found.Command.Actor)), reason: localised(found.Command.Reason) })} ·{' '}
              {stateWord(found.Command)}
            </small>
          )}
        </dd>
        {(['Upstream', 'Downstream'] as const).map((side) => (
          <UpstreamLines
            key={side}
            name={side === 'Upstream' ? t('upstream') : t('downstream')}
            lines={found[side]}
            unseen={side === 'Upstream' && found.FeederUnseen}
          />
        ))}
      </dl>
      <h4>{t('minute')}</h4>
      {found.Rows.length === 0 && <p className="mute">{t('app:noData')}</p>}
      <div className="sparks">
        {family?.points.map((point, index) => {
          const values = found.Rows.map(([at, row]) => [at, row[index] ?? null] as const)
          const known = values.flatMap(([, value]) => (value === null ? [] : [value]))
          if (known.length === 0) return null
          return (
            <div key={point.key}>
              <span>{localised(point.label)}</span>
              <Sparkline values={values} qualityMarks={qualityMarks} mark={found.At} label={localised(point.label)} />
              <span className="figures">
                {figure(Math.min(...known), point.precision)} – {figure(Math.max(...known), point.precision)}{' '}
                <span className="unit">{point.unit}</span>
              </span>
            </div>
          )
        })}
      </div>
      <QualityLegend {...qualityMarks} />
    </>
  )
}

function UpstreamLines({ name, lines, unseen }: { name: string; lines: TripAnalysis['Upstream']; unseen: boolean }) {
  const { t } = useTranslation(['operations', 'safety'])
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {unseen && <small>{t('safety:feederUnseen')}</small>}
        {lines.length === 0 && !unseen && <span className="mute">{t('noFeed')}</span>}
        {lines.map(({ LineID, LineName, Position, OpenedAt }) => (
          <small key={LineID}>
            {LineName} <LineTag lineId={LineID} /> · {Position === 'open' ? t('open') : Position === 'closed' ? t('closed') : '–'}
            {OpenedAt !== null && ` · ${t('openedThen')} ${clockTime(OpenedAt)}`}
          </small>
        ))}
      </dd>
    </>
  )
}
