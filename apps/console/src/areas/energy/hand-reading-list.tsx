import type { HandReading, Project } from '@linewarden/contract'
import { listHandReadings } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { projectMoment } from '../../plant/project-moment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { energyFixes } from './fix-texts.ts'
import { HandReadingDialog, UndoReadingDialog } from './hand-reading-dialog.tsx'
import { registerText } from './origin-values.ts'

addTexts({ energyFixes })

/** Registers that somebody read off at the cabinet, the latest first. */
export function HandReadingList({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('energyFixes')
  const query = useCall(listHandReadings, { query: { HouseID: house.HouseID } })
  const [editing, setEditing] = useState<'new' | HandReading | null>(null)
  const readings = query.data?.items
  return (
    <section className="energy-part" aria-label={t('readings')}>
      <header>
        <h2>{t('readings')}</h2>
        <ReasonedButton className="btn" reason={reason} onClick={() => setEditing('new')}>
          {t('addReading')}
        </ReasonedButton>
      </header>
      <p className="mute">{t('readingsHint')}</p>
      {!readings && <Unloaded query={query} />}
      {readings?.length === 0 && <Empty title={t('noReadings')} hint={t('noReadingsHint')} />}
      <ul className="energy-cards">
        {readings?.map((reading) => (
          <li key={reading.ReadingID} aria-label={reading.Name}>
            <Facts house={house} reading={reading} />
            {reading.UndoneAt === null && (
              <div className="acts">
                <ReasonedButton className="btn small quiet" reason={reason} onClick={() => setEditing(reading)}>
                  {t('undo')}
                </ReasonedButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      {editing === 'new' && <HandReadingDialog house={house} onClose={() => setEditing(null)} />}
      {editing !== null && editing !== 'new' && (
        <UndoReadingDialog house={house} reading={editing} onClose={() => setEditing(null)} />
      )}
    </section>
  )
}

function Facts({ house: { TimeZone }, reading }: { house: Project; reading: HandReading }) {
  const { t } = useTranslation('energyFixes')
  const { Name, GatewayName, At, Kwh, Reason, TypedAt, TypedBy, UndoneAt, UndoneBy } = reading
  const typed = projectMoment(TypedAt, TimeZone)
  const undone = UndoneAt === null ? null : projectMoment(UndoneAt, TimeZone)
  return (
    <>
      <h3>{Name}</h3>
      <p className="mute">{GatewayName}</p>
      <p>
        <b>{projectMoment(At, TimeZone)}</b>
        <span>{registerText(Kwh)} kWh</span>
      </p>
      <p className="mute">
        <span>{Reason}</span>
        <span>{TypedBy === null ? t('typedAt', { at: typed }) : t('typedBy', { name: TypedBy, at: typed })}</span>
        {undone !== null && (
          <span>{UndoneBy === null ? t('undone', { at: undone }) : t('undoneBy', { name: UndoneBy, at: undone })}</span>
        )}
      </p>
    </>
  )
}
