import type { EventRecord, Evidence } from '@linewarden/contract'
import { eventEvidence } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { isAlarmKind } from '@linewarden/rules/alarm'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { QualityLegend } from '../../../plant/quality-bars.tsx'
import { qualityMarksOf } from '../../../plant/quality-marks.ts'
import { SelectField } from '../../../ui/fields.tsx'
import { clockTime } from '../../../ui/format.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { EvidenceAround } from './evidence-around.tsx'
import { EvidenceChart } from './evidence-chart.tsx'
import { mainPanels, panelsOf } from './panels.ts'
import { alarmEvidence } from './texts.ts'
import './evidence.css'

addTexts({ alarmEvidence })

type Copy = NonNullable<Evidence['Copy']>

/** What the line reported in the minute before and after an alarm, and what was done then. Nothing where there is none of such an event. */
export function EvidencePart({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmEvidence')
  const [chosen, setChosen] = useState<number | null>(null)
  const evidence = useCall(
    eventEvidence,
    { params: { EventID: event.EventID }, query: chosen === null ? {} : { At: chosen } },
    {
      enabled: event.Evidence !== 'none',
      placeholderData: (former) => former,
      refetchInterval: ({ state }) => (state.data?.State === 'pending' ? 5_000 : false),
    },
  )
  if (event.Evidence === 'none') return null
  const { data } = evidence
  return (
    <section className="part evidence" aria-label={t('title')}>
      <h3>
        {t('title')} <small className="mute">{t('span')}</small>
      </h3>
      <Unloaded query={evidence} />
      {data && data.Raises.length > 1 && (
        <SelectField
          label={t('which')}
          value={String(data.At)}
          options={data.Raises.map((at) => ({ value: String(at), label: clockTime(at) }))}
          onChange={(at) => setChosen(Number(at))}
        />
      )}
      {data?.State === 'pending' && <p className="mute">{t('pending')}</p>}
      {data?.Copy && <Copied event={event} evidence={data} copy={data.Copy} />}
    </section>
  )
}

function Copied({ event, evidence, copy }: { event: EventRecord; evidence: Evidence; copy: Copy }) {
  const { t } = useTranslation('alarmEvidence')
  const [all, setAll] = useState(false)
  const family = familyOf(copy.Family)
  const panels = useMemo(() => (family ? panelsOf(copy, family, event.Point) : []), [copy, family, event.Point])
  const shown = all ? panels : panels.slice(0, mainPanels)
  return (
    <>
      {panels.length === 0 ? (
        <p className="mute">{t('noValues')}</p>
      ) : (
        <EvidenceChart
          evidence={evidence}
          gaps={copy.Gaps}
          panels={shown}
          kind={isAlarmKind(event.Kind) ? event.Kind : 'warning'}
        />
      )}
      {panels.length > mainPanels && (
        <button type="button" className="btn small quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('fewer') : t('more', { count: panels.length })}
        </button>
      )}
      <QualityLegend {...qualityMarksOf(copy.Rows)} />
      {copy.CompletedAt !== null && <p className="mute">{t('completed', { time: clockTime(copy.CompletedAt) })}</p>}
      <EvidenceAround copy={copy} {...(family && { family })} />
    </>
  )
}
